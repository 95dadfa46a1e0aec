// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.emplace.rpc.Destination;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.ResultOrder;
import org.emplace.rpc.ResultPlaces;
import org.emplace.rpc.ResultPlaces.Limits;
import org.emplace.rpc.RpcProgram;
import org.emplace.xdr.Payload;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** So many results that steps as many as the square of their number would take longer than the time limits. */
final class ManyResultsTest {

    private record Many(List<Optional<Payload>> all, Payload last) {}

    /** Elements of sizes from 0 to 99 bytes, each of which may lack its item, and an item behind them. */
    private static ResultOrder<Integer, Many> order(int most) {
        return ResultOrder.sequence(
                ResultOrder.array(
                        args -> most,
                        Many::all,
                        ResultOrder.option(
                                each -> each,
                                ResultOrder.payload(0, "all[].data", (args, i) -> i % 100, each -> each))),
                ResultOrder.payload(1, "last", (args, i) -> 900, Many::last));
    }

    @Test
    @Timeout(60)
    void theyAreLaidOut() {
        int elements = 1_000_000;
        List<@Nullable Destination> unnamed = Collections.nCopies(elements, null);

        ResultPlaces<Many> places = places(order(elements), Destinations.ofItems(unnamed, null));

        assertThat(places.count()).isEqualTo(elements + 1);
        assertThat(places.get(0).room()).isZero();
        assertThat(places.get(0).size()).isEqualTo(900);
        assertThat(places.get(elements).size()).isEqualTo(900);
    }

    @Test
    @Timeout(60)
    void theyAreSettled() throws Exception {
        int elements = 400_000;
        ByteBuffer memory = ByteBuffer.allocate(elements);
        List<Destination> own = new ArrayList<>();
        for (int i = 0; i < elements; i++) {
            own.add(Destination.into(memory.slice(i, 1)));
        }
        CallCounters counters = new CallCounters();
        ResultPlaces<Many> places = places(order(elements), Destinations.ofItems(own, null));
        ResultItems<Many> reply = new ResultItems<>() {
            @Override
            protected ResultPlaces<Many> places() {
                return places;
            }

            @Override
            protected CallCounters counters() {
                return counters;
            }

            @Override
            protected Landed landed(int n, long length) {
                ByteBuffer bytes = memory.slice(n, (int) length);
                return new InMemory(bytes);
            }
        };

        // The first element lacks its item, so that each item lands in the memory of the element before.
        List<Optional<Payload>> all = new ArrayList<>();
        all.add(Optional.empty());
        for (int i = 1; i < elements; i++) {
            memory.put(i - 1, (byte) i);
            all.add(Optional.ofNullable(reply.chunkAt(0, 1)));
        }
        Payload last = Objects.requireNonNull(reply.chunkAt(0, 0));
        reply.settle(new Many(all, last));

        for (int i = 1; i < elements; i++) {
            if (memory.get(i) != (byte) i) {
                assertThat(memory.get(i)).as("element %d", i).isEqualTo((byte) i);
            }
        }
        assertThat(counters.report(Procedure.ofNull(RpcProgram.of("P", 1, 1)), Duration.ZERO, Optional.empty())
                        .movedBytes())
                .isEqualTo(elements - 1);
    }

    private sealed interface Answer {
        record Large(Payload data) implements Answer {}

        record Small(Payload data) implements Answer {}
    }

    @Test
    @Timeout(60)
    void thoseOfAnArmWithoutPlacesAreSettled() throws Exception {
        int elements = 200_000;
        ResultOrder<Integer, List<Answer>> order = ResultOrder.array(
                args -> elements,
                each -> each,
                ResultOrder.choice(
                        ResultOrder.arm(
                                Answer.Large.class,
                                ResultOrder.payload(0, "[].large", (args, i) -> 2, Answer.Large::data)),
                        ResultOrder.arm(
                                Answer.Small.class,
                                ResultOrder.payload(1, "[].small", (args, i) -> 1, Answer.Small::data))));
        ByteBuffer memory = ByteBuffer.allocate(3 * elements);
        List<Destination> large = new ArrayList<>();
        List<Destination> small = new ArrayList<>();
        for (int i = 0; i < elements; i++) {
            large.add(Destination.into(memory.slice(elements + 2 * i, 2)));
            small.add(Destination.into(memory.slice(i, 1)));
        }
        ResultItems<List<Answer>> reply = new InMessage<>(places(order, Destinations.ofItems(large, small)));

        List<Answer> all = new ArrayList<>();
        for (int i = 0; i < elements; i++) {
            reply.chunkAt(0, 1);
            all.add(new Answer.Small(reply.inline(ByteBuffer.wrap(new byte[] {(byte) i}), 1)));
        }
        reply.settle(all);

        assertThat(memory.get(elements - 1)).isEqualTo((byte) (elements - 1));
    }

    /** Results that are all in the message. */
    private static final class InMessage<R> extends ResultItems<R> {
        private final ResultPlaces<R> places;
        private final CallCounters counters = new CallCounters();

        InMessage(ResultPlaces<R> places) {
            this.places = places;
        }

        @Override
        protected ResultPlaces<R> places() {
            return places;
        }

        @Override
        protected CallCounters counters() {
            return counters;
        }
    }

    private record InMemory(ByteBuffer own) implements ResultItems.Landed {
        @Override
        public int length() {
            return own.capacity();
        }

        @Override
        public List<ByteBuffer> bytes() {
            return List.of(own);
        }

        @Override
        public Payload inPlace() {
            return Payload.of(own);
        }
    }

    private static <R> ResultPlaces<R> places(ResultOrder<Integer, R> order, Destinations destinations) {
        return ResultPlaces.of(
                ProcedureBinding.<Integer, R>idempotent(args -> 0).withWriteChunks(Integer.MAX_VALUE, order),
                7,
                destinations,
                new Limits(Integer.MAX_VALUE, 1000, 100));
    }
}
