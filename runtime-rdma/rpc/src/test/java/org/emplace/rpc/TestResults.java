// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.emplace.rpc.ResultPlaces.Limits;
import org.emplace.xdr.Payload;

/** Orders of results, destinations for them, and what a call provides. */
final class TestResults {
    static final int ALLOCATION = 10_000;
    static final int UNBOUNDED = 500;

    /** A result with an item, perhaps, and a list of elements with two items each. */
    record Result(Optional<Payload> head, List<Pair> pairs, Payload tail) {}

    record Pair(Payload a, Payload b) {}

    static final ResultOrder<Integer, Result> HEAD =
            ResultOrder.option(Result::head, ResultOrder.payload(0, "head", (args, i) -> 10, head -> head));
    static final ResultOrder<Integer, Pair> PAIR = ResultOrder.sequence(
            ResultOrder.payload(1, "pairs[].a", (args, i) -> 20, Pair::a),
            ResultOrder.payload(2, "pairs[].b", (args, i) -> 30, Pair::b));
    static final ResultOrder<Integer, Result> TAIL = ResultOrder.payload(3, "tail", (args, i) -> 40, Result::tail);

    /** Rows of a head and cells. */
    record Grid(List<Line> lines, Payload tail) {}

    record Line(Payload head, List<Payload> cells) {}

    static ResultOrder<Integer, Line> line(ResultOrder<Integer, Line> cells) {
        return ResultOrder.sequence(ResultOrder.payload(0, "lines[].head", (args, i) -> 10 + i, Line::head), cells);
    }

    static ResultOrder<Integer, Payload> cell(int size) {
        return ResultOrder.payload(1, "lines[].cells[].a", (args, i) -> size + i, each -> each);
    }

    private TestResults() {}

    static <T> ResultPlaces<T> places(ResultOrder<Integer, T> order, Destinations destinations) {
        return ResultPlaces.of(binding(order), 7, destinations, new Limits(Integer.MAX_VALUE, ALLOCATION, UNBOUNDED));
    }

    static <T> ProcedureBinding<Integer, T> binding(ResultOrder<Integer, T> order) {
        return ProcedureBinding.<Integer, T>idempotent(args -> 0).withWriteChunks(Integer.MAX_VALUE, order);
    }

    static List<Integer> sizes(ResultPlaces<?> places) {
        return IntStream.range(0, places.count())
                .mapToObj(i -> places.get(i).size())
                .toList();
    }

    static List<Destination> destinations(ResultPlaces<?> places) {
        return IntStream.range(0, places.count())
                .mapToObj(i -> places.get(i).destination())
                .toList();
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    static Destinations elements(List<Destination>... byItem) {
        return Destinations.ofElements(Arrays.asList(byItem));
    }

    static List<Destination> none() {
        return List.of();
    }

    static Destination buffer(int size) {
        return Destination.into(ByteBuffer.allocate(size));
    }

    static Destination[] buffers(int... sizes) {
        return Arrays.stream(sizes).mapToObj(TestResults::buffer).toArray(Destination[]::new);
    }
}
