// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import java.util.List;
import org.emplace.rpc.Destination;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.ResultOrder;
import org.emplace.rpc.ResultPlaces;
import org.emplace.rpc.ResultPlaces.Limits;
import org.emplace.rpc.ResultPlaces.Place;
import org.emplace.xdr.Payload;

/** Places for results that are an array of payloads. */
final class TestPlaces {
    private static final Limits LIMITS = new Limits(1000, 1 << 30, 1 << 16);

    private TestPlaces() {}

    /** The places of items of these sizes, with these destinations or none. */
    static ResultPlaces<List<Payload>> of(List<Long> sizes, Destination... destinations) {
        return ResultPlaces.of(binding(), sizes, Destinations.ofElements(List.of(List.of(destinations))), LIMITS);
    }

    /** The binding of a procedure with such results. */
    static ProcedureBinding<List<Long>, List<Payload>> binding() {
        ResultOrder<List<Long>, List<Payload>> order = ResultOrder.arrayBySize(
                List::size, items -> items, ResultOrder.payload(0, "items[]", List::get, item -> item));
        return ProcedureBinding.<List<Long>, List<Payload>>idempotent(any -> 0).withWriteChunks(1000, order);
    }

    /** The place of one item. */
    static Place of(long size, Destination destination) {
        return of(List.of(size), destination).get(0);
    }

    /** The place of an item that may be absent, so that a second one, without a destination, can land here. */
    static Place optionalThen(long size, long second, Destination destination) {
        ResultOrder<Integer, List<Payload>> order = ResultOrder.sequence(
                ResultOrder.option(
                        items -> items.stream().skip(1).findFirst(),
                        ResultOrder.payload(0, "first", (none, i) -> size, item -> item)),
                ResultOrder.payload(1, "second", (none, i) -> second, items -> items.get(0)));
        ProcedureBinding<Integer, List<Payload>> binding =
                ProcedureBinding.<Integer, List<Payload>>idempotent(any -> 0).withWriteChunks(1000, order);
        return ResultPlaces.of(binding, 0, Destinations.of(destination), LIMITS).get(0);
    }
}
