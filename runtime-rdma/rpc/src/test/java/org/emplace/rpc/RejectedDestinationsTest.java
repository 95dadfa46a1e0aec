// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.emplace.rpc.TestResults.HEAD;
import static org.emplace.rpc.TestResults.PAIR;
import static org.emplace.rpc.TestResults.TAIL;
import static org.emplace.rpc.TestResults.binding;
import static org.emplace.rpc.TestResults.buffer;
import static org.emplace.rpc.TestResults.buffers;
import static org.emplace.rpc.TestResults.cell;
import static org.emplace.rpc.TestResults.elements;
import static org.emplace.rpc.TestResults.line;
import static org.emplace.rpc.TestResults.none;
import static org.emplace.rpc.TestResults.places;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.emplace.RpcServer;
import org.emplace.rpc.TestResults.Grid;
import org.emplace.rpc.TestResults.Line;
import org.emplace.rpc.TestResults.Pair;
import org.emplace.rpc.TestResults.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which destinations a call rejects. */
final class RejectedDestinationsTest {
    private static final int LOW_BITS = 1 << 30;

    @Test
    void thereMustBeADestinationForEachElementOfWhichCallersKnowTheNumber() {
        ResultOrder<Integer, Result> fixed = ResultOrder.fixedArray(2, Result::pairs, PAIR);
        assertThatThrownBy(() -> places(fixed, elements(none(), List.of(buffer(20)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("1 destinations for pairs[].a, of which there are 2");

        ResultOrder<Integer, Result> bySize = ResultOrder.arrayBySize(args -> args, Result::pairs, PAIR);
        List<Destination> three = List.of(buffer(1), buffer(1), buffer(1));
        assertThatThrownBy(() -> places(bySize, elements(none(), none(), three)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("3 destinations for pairs[].b, of which there are 7");
        ResultOrder<Integer, Result> listBySize =
                ResultOrder.linkedBySize(args -> args, Result::pairs, ResultOrder.none(), PAIR);
        assertThatThrownBy(() -> places(listBySize, elements(none(), none(), three)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("3 destinations for pairs[].b, of which there are 7");

        ResultOrder<Integer, Result> bounded = ResultOrder.array(args -> 2, Result::pairs, PAIR);
        assertThatThrownBy(() -> places(bounded, elements(none(), none(), three)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("3 destinations for pairs[].b, of which there are at most 2");
        assertThat(places(bounded, elements(none(), List.of(buffer(20)))).count())
                .isEqualTo(2);
    }

    @Test
    void thereMustBeNoDestinationForWhatTheResultsDoNotHave() {
        Destinations two = elements(none(), none(), none(), List.of(buffer(1), buffer(1)));
        for (ResultOrder<Integer, Result> order : List.of(TAIL, ResultOrder.sequence(HEAD, TAIL))) {
            assertThatThrownBy(() -> places(order, two))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("2 destinations for tail, of which there is 1");
        }
        assertThatThrownBy(() -> places(HEAD, Destinations.of(null, null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("destinations for 2 items, but the results have 1");
        assertThatThrownBy(() -> places(ResultOrder.none(), Destinations.of(buffer(1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("destinations for 1 items, but the results have 0");
        assertThatThrownBy(() -> places(
                        ResultOrder.<Integer, Result>encoded("status", (args, i) -> 60), Destinations.of(buffer(1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("destinations for 1 items, but the results have 0");
    }

    @Test
    void theElementsOfInnerArraysAreNumberedThrough() {
        ResultOrder<Integer, Grid> order =
                ResultOrder.fixedArray(2, Grid::lines, line(ResultOrder.fixedArray(3, Line::cells, cell(20))));
        assertThatThrownBy(() -> places(order, elements(none(), List.of(buffers(10, 11)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("2 destinations for lines[].cells[].a, of which there are 6");
        assertThatThrownBy(() -> places(
                        order,
                        elements(
                                none(),
                                List.of(
                                        buffer(1),
                                        buffer(1),
                                        new Destination.InBuffer(
                                                ByteBuffer.allocate(1).asReadOnlyBuffer())))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the destination of lines[].cells[].a of element 2 is a read-only buffer");
    }

    @Test
    void anInnerArrayHasNoMoreElementsThanAllOuterOnesTogetherCanHave() {
        ResultOrder<Integer, Grid> order =
                ResultOrder.fixedArray(2, Grid::lines, line(ResultOrder.array(args -> 3, Line::cells, cell(20))));

        assertThat(places(order, elements(none(), List.of(buffers(1, 2, 3, 4, 5, 6))))
                        .count())
                .isEqualTo(8);
        assertThatThrownBy(() -> places(order, elements(none(), List.of(buffers(1, 2, 3, 4, 5, 6, 7)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("7 destinations for lines[].cells[].a, of which there are at most 6");
    }

    @Test
    void aDestinationIsWhatABufferHasBetweenItsPositionAndLimit() {
        ByteBuffer memory = ByteBuffer.allocate(10).position(2).limit(7);
        Destination.InBuffer in = new Destination.InBuffer(memory);
        memory.position(4);

        assertThat(in.capacity()).isEqualTo(5);
        assertThat(in.buffer().position()).isZero();
        assertThat(in.buffer().arrayOffset()).isEqualTo(2);
    }

    @Test
    void severalPiecesAreBuffersWithRoom() {
        Destination one = buffer(1);
        for (List<Destination> wrong : List.of(
                List.of(one),
                List.of(one, buffer(0)),
                List.of(one, Destination.allocate()),
                List.of(one, Destination.into(List.of(buffer(1), buffer(2)))))) {
            assertThatThrownBy(() -> new Destination.InPieces(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aDestinationMustBeWritable() {
        Destination readOnly = Destination.into(ByteBuffer.allocate(5).asReadOnlyBuffer());
        assertThatThrownBy(() -> places(HEAD, Destinations.of(readOnly)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the destination of head is a read-only buffer");

        ResultOrder<Integer, Result> order = ResultOrder.array(args -> 5, Result::pairs, PAIR);
        Destination inPieces = Destination.into(List.of(buffer(1), readOnly));
        assertThatThrownBy(() -> places(order, elements(none(), List.of(buffer(20), inPieces))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the destination of pairs[].a of element 1 is a read-only buffer");
        ResultOrder<Integer, Result> inMember = ResultOrder.member(each -> each, order);
        assertThatThrownBy(() -> places(inMember, elements(none(), List.of(buffer(20), readOnly))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the destination of pairs[].a of element 1 is a read-only buffer");
    }

    @Test
    void oneDestinationMustNotBeNamedTwice() {
        ResultOrder<Integer, Result> order = ResultOrder.array(args -> 5, Result::pairs, PAIR);
        for (ByteBuffer memory : List.of(ByteBuffer.allocate(100), ByteBuffer.allocateDirect(100))) {
            Destination one = Destination.into(memory);
            assertThatThrownBy(() -> places(order, elements(none(), List.of(one, buffer(1), one))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the destinations of pairs[].a of element 0 and pairs[].a of element 2 share memory");
            assertThatThrownBy(() -> places(HEAD, Destinations.of(Destination.into(List.of(one, one)))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the destinations of head and head share memory");
        }
    }

    @Test
    void destinationsMustNotShareMemory() {
        ResultOrder<Integer, Result> order = ResultOrder.array(args -> 5, Result::pairs, PAIR);
        for (ByteBuffer memory : List.of(ByteBuffer.allocate(100), ByteBuffer.allocateDirect(100))) {
            assertShared(order, memory.slice(0, 50), memory.slice(49, 51));
            assertShared(order, memory.slice(10, 5), memory);
            assertShared(order, memory, memory);
            assertThat(places(order, pair(memory.slice(0, 50), memory.slice(50, 50)))
                            .count())
                    .isEqualTo(2);
        }
        assertThat(places(order, pair(ByteBuffer.allocate(100), ByteBuffer.allocateDirect(100)))
                        .count())
                .isEqualTo(2);

        ByteBuffer memory = ByteBuffer.allocateDirect(100).put(49, (byte) 7);
        Destination pieces = Destination.into(memory.slice(0, 50), memory.slice(49, 1));
        assertThatThrownBy(() -> places(TAIL, Destinations.of(null, null, null, pieces)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(memory.get(49)).as("a byte of the memory").isEqualTo((byte) 7);
    }

    @Test
    void destinationsMayTouchAndBeEmpty() {
        ResultOrder<Integer, Result> order = ResultOrder.array(args -> 5, Result::pairs, PAIR);
        for (ByteBuffer memory : List.of(ByteBuffer.allocate(100), ByteBuffer.allocateDirect(100))) {
            ByteBuffer empty = memory.slice(20, 0);
            assertThat(places(order, pair(memory, empty)).count()).isEqualTo(2);
            assertThat(places(order, pair(empty, empty)).count()).isEqualTo(2);
            assertShared(order, memory.slice(0, 1), memory);
            assertShared(order, memory.slice(99, 1), memory);
        }
        assertThat(places(order, pair(ByteBuffer.allocate(100), ByteBuffer.allocate(100)))
                        .count())
                .isEqualTo(2);
    }

    @Test
    void destinationsAreCheckedBeforeThereIsAConnection() {
        requireSuitable(HEAD, Destinations.none());
        requireSuitable(HEAD, Destinations.of(buffer(1)));
        ResultOrder<Integer, Result> fixed =
                ResultOrder.fixedArray(2, Result::pairs, ResultOrder.payload(0, "pairs[].a", (args, i) -> 20, Pair::a));
        assertThatThrownBy(() -> requireSuitable(fixed, Destinations.of(buffer(1))))
                .as("one destination for two elements")
                .isInstanceOf(IllegalArgumentException.class);
        Destination piece = buffer(1);
        assertThatThrownBy(() -> requireSuitable(HEAD, Destinations.of(Destination.into(List.of(piece, piece)))))
                .as("one piece twice")
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> requireSuitable(HEAD, elements(List.of(buffer(1), buffer(1)))))
                .as("two destinations for one item")
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> requireSuitable(
                        HEAD,
                        Destinations.of(Destination.into(ByteBuffer.allocate(1).asReadOnlyBuffer()))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void rangesOfRegisteredMemoryMustNotOverlap() throws Exception {
        ResultOrder<Integer, Result> order = ResultOrder.array(args -> 5, Result::pairs, PAIR);
        try (RpcServer server = Loopback.serve(EchoProgram.service());
                RpcConnection client = Loopback.connect(server);
                RegisteredBuffer memory = client.memory().register(ByteBuffer.allocateDirect(100))) {
            assertThatThrownBy(() -> new Destination.InRegistered(memory, 90, 11))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            Destination half = Destination.into(memory, 0, 50);
            assertThat(places(order, pair(half, Destination.into(memory, 50, 50)))
                            .count())
                    .isEqualTo(2);
            assertThat(places(order, pair(half, Destination.into(memory, 20, 0)))
                            .count())
                    .isEqualTo(2);
            assertThatThrownBy(() -> places(order, pair(half, Destination.into(memory, 49, 50))))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> places(
                            order, pair(half, Destination.into(memory.buffer().slice(10, 1)))))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** Java tells only the low bits of the address of a direct buffer. */
    @Test
    void wholeAddressesAreCompared(@TempDir Path folder) throws Exception {
        ResultOrder<Integer, Result> order = ResultOrder.array(args -> 5, Result::pairs, PAIR);
        ByteBuffer one = mapped(folder.resolve("one"));
        ByteBuffer other = mapped(folder.resolve("other"));
        int zero = LOW_BITS - one.alignmentOffset(0, LOW_BITS);
        int zeroOfOther = LOW_BITS - other.alignmentOffset(0, LOW_BITS);

        assertThat(places(order, pair(one.slice(zero, 10), other.slice(zeroOfOther, 10)))
                        .count())
                .as("the same low bits")
                .isEqualTo(2);
        assertThat(places(order, pair(one.slice(zero - 50, 100), one.slice(zero + 50, 10)))
                        .count())
                .as("low bits that begin anew in the first")
                .isEqualTo(2);
        assertShared(order, one.slice(zero - 50, 100), one.slice(zero + 10, 10));
        assertShared(order, one.slice(zero - 50, 100), one.slice(zero - 10, 10));
    }

    /** More bytes than there are values of the low bits, without memory for them. */
    private static ByteBuffer mapped(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, LOW_BITS + 4096L);
        }
    }

    @Test
    void theDestinationOfASingleItemIsAListOfOne() {
        Destination one = buffer(1);
        assertThat(Destinations.only(one)).containsExactly(one);
    }

    private static void requireSuitable(ResultOrder<Integer, Result> order, Destinations destinations) {
        ResultPlaces.requireSuitable(binding(order), 7, destinations);
    }

    private static void assertShared(ResultOrder<Integer, Result> order, ByteBuffer first, ByteBuffer second) {
        assertThatThrownBy(() -> places(order, pair(first, second)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("share memory")
                .hasMessageContaining("pairs[].a of element 0")
                .hasMessageContaining("pairs[].b of element 0");
    }

    private static Destinations pair(ByteBuffer first, ByteBuffer second) {
        return pair(Destination.into(first), Destination.into(second));
    }

    private static Destinations pair(Destination first, Destination second) {
        return elements(none(), List.of(first), List.of(second));
    }
}
