// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.emplace.rpc.CallObserver.CallReport;
import org.emplace.rpc.Destination;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.ResultOrder;
import org.emplace.rpc.ResultPlaces;
import org.emplace.rpc.ResultPlaces.Limits;
import org.emplace.rpc.ResultPlaces.Place;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.client.ResultItems.ResultCopy;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each result of a reply gets to its own destination, whichever chunk it has landed in. */
class ResultItemsTest {
    private static final Limits LIMITS = new Limits(Integer.MAX_VALUE, 1000, 100);

    /** Results that may be absent; each has room for 8 bytes. */
    private record Three(Optional<Payload> a, Optional<Payload> b, Optional<Payload> c) {}

    private static final ResultOrder<Integer, Three> THREE = ResultOrder.sequence(
            ResultOrder.option(Three::a, ResultOrder.payload(0, "a", (args, i) -> 8, each -> each)),
            ResultOrder.option(Three::b, ResultOrder.payload(1, "b", (args, i) -> 8, each -> each)),
            ResultOrder.option(Three::c, ResultOrder.payload(2, "c", (args, i) -> 8, each -> each)));

    /** Results that are always present. */
    private record Pair(Payload a, Payload b) {}

    private static final ResultOrder<Integer, Pair> PAIR = ResultOrder.sequence(
            ResultOrder.payload(0, "a", (args, i) -> 8, Pair::a), ResultOrder.payload(1, "b", (args, i) -> 8, Pair::b));

    /** Rows of a result and a list of results. */
    private record Rows(List<Row> rows) {}

    private record Row(Payload head, List<Payload> cells) {}

    private static final ResultOrder<Integer, Rows> ROWS = ResultOrder.array(
            args -> 2,
            Rows::rows,
            ResultOrder.sequence(
                    ResultOrder.payload(0, "rows[].head", (args, i) -> 8, Row::head),
                    ResultOrder.array(
                            args -> 4,
                            Row::cells,
                            ResultOrder.payload(1, "rows[].cells[].a", (args, i) -> 8, each -> each))));

    private final CallCounters counters = new CallCounters();

    /** A chunk as a transport offers it: the memory of a place, and staging memory behind it. */
    private record Chunk(Place place, ByteBuffer own, ByteBuffer behind, int length) implements ResultItems.Landed {

        /** A chunk in which a result has landed. */
        static Chunk of(Place place, byte[] bytes) {
            ByteBuffer own = place.destination() instanceof Destination.InBuffer in
                    ? in.buffer().slice(0, place.room())
                    : ByteBuffer.allocate(place.room());
            ByteBuffer behind = ByteBuffer.allocate(place.size() - place.room());
            int first = Math.min(bytes.length, own.capacity());
            own.put(0, bytes, 0, first);
            behind.put(0, bytes, first, bytes.length - first);
            return new Chunk(place, own, behind, bytes.length);
        }

        @Override
        public List<ByteBuffer> bytes() {
            int first = Math.min(length, own.capacity());
            return List.of(own.slice(0, first), behind.slice(0, length - first));
        }

        @Override
        public Payload inPlace() {
            return Payload.of(own.slice(0, length));
        }
    }

    /** The items of a reply whose results have landed in the first chunks. */
    private final class Reply<R> extends ResultItems<R> {
        private final ResultPlaces<R> places;
        private final List<Chunk> chunks = new ArrayList<>();

        Reply(ResultPlaces<R> places, String... landed) {
            this.places = places;
            for (int i = 0; i < landed.length; i++) {
                chunks.add(Chunk.of(places.get(i), bytes(landed[i])));
            }
        }

        @Override
        protected ResultPlaces<R> places() {
            return places;
        }

        @Override
        protected CallCounters counters() {
            return counters;
        }

        @Override
        protected @Nullable Landed landed(int n, long length) {
            return n < chunks.size() ? chunks.get(n) : null;
        }

        /** Decodes the next result. */
        Payload next(String text) throws XdrException {
            Payload inChunk = chunkAt(0, text.length());
            return inChunk != null ? inChunk : inline(ByteBuffer.wrap(bytes(text)), bytes(text).length);
        }

        Optional<Payload> maybe(String text) throws XdrException {
            return Optional.of(next(text));
        }
    }

    @Test
    void whatIsAlwaysPresentStaysWhereItHasLanded() throws Exception {
        ByteBuffer[] into = buffers(2);
        Reply<Pair> reply = new Reply<>(places(PAIR, named(into)), "first", "second");

        Pair pair = new Pair(reply.next("first"), reply.next("second"));
        reply.settle(pair);

        assertIn(into[0], pair.a(), "first");
        assertIn(into[1], pair.b(), "second");
        assertThat(report().copies()).isZero();
    }

    @Test
    void whatIsAlwaysPresentIsCopiedIfItIsInTheMessage() throws Exception {
        ByteBuffer[] into = buffers(2);
        Reply<Pair> reply = new Reply<>(places(PAIR, named(into)));

        Pair pair = new Pair(reply.next("first"), reply.next("second"));
        reply.settle(pair);

        assertIn(into[0], pair.a(), "first");
        assertIn(into[1], pair.b(), "second");
        assertThat(report().copies()).isEqualTo(2);
        assertThat(report().movedBytes()).isZero();
    }

    @Test
    void resultsBehindAnAbsentOneMoveToTheirOwnDestinations() throws Exception {
        ByteBuffer[] into = buffers(3);
        Reply<Three> reply = new Reply<>(places(THREE, named(into)), "second", "third");

        Three three = new Three(Optional.empty(), reply.maybe("second"), reply.maybe("third"));
        reply.settle(three);

        assertIn(into[1], three.b().orElseThrow(), "second");
        assertIn(into[2], three.c().orElseThrow(), "third");
        assertThat(report().copies()).isEqualTo(2);
        assertThat(report().copiedBytes()).isEqualTo(11);
        assertThat(report().movedBytes()).isEqualTo(11);
    }

    @Test
    void resultsBeforeAnAbsentOneStay() throws Exception {
        ByteBuffer[] into = buffers(3);
        Reply<Three> reply = new Reply<>(places(THREE, named(into)), "first", "third");

        Three three = new Three(reply.maybe("first"), Optional.empty(), reply.maybe("third"));
        reply.settle(three);

        assertIn(into[0], three.a().orElseThrow(), "first");
        assertIn(into[2], three.c().orElseThrow(), "third");
        assertThat(report().movedBytes()).isEqualTo(5);
    }

    @Test
    void resultsInTheMessageAreCopiedToTheirOwnDestinations() throws Exception {
        ByteBuffer[] into = buffers(3);
        Reply<Three> reply = new Reply<>(places(THREE, named(into)), "second");

        Three three = new Three(Optional.empty(), reply.maybe("second"), reply.maybe("third"));
        reply.settle(three);

        assertIn(into[1], three.b().orElseThrow(), "second");
        assertIn(into[2], three.c().orElseThrow(), "third");
        assertThat(report().copiedBytes()).isEqualTo(11);
        assertThat(report().movedBytes()).isEqualTo(6);
    }

    @Test
    void withoutADestinationAResultStaysInAllocatedMemory() throws Exception {
        Reply<Three> reply = new Reply<>(places(THREE, Destinations.none()), "second", "third");

        Three three = new Three(Optional.empty(), reply.maybe("second"), reply.maybe("third"));
        reply.settle(three);

        assertThat(text(three.b().orElseThrow())).isEqualTo("second");
        assertThat(text(three.c().orElseThrow())).isEqualTo("third");
        assertThat(report().copies()).isZero();
    }

    @Test
    void withoutADestinationAResultLeavesThatOfAnother() throws Exception {
        ByteBuffer[] into = buffers(1);
        Reply<Three> reply = new Reply<>(places(THREE, named(into[0], null, null)), "second");

        Three three = new Three(Optional.empty(), reply.maybe("second"), Optional.empty());
        reply.settle(three);
        Payload second = three.b().orElseThrow();
        into[0].put(0, (byte) '-');

        assertThat(text(second)).as("a copy").isEqualTo("second");
        assertThat(report().movedBytes()).isEqualTo(6);
    }

    @Test
    void aResultThatIsLargerThanTheMemoryWhereItLandsMoves() throws Exception {
        ByteBuffer small = ByteBuffer.allocate(3);
        ByteBuffer large = ByteBuffer.allocate(8);
        Reply<Three> reply = new Reply<>(places(THREE, named(small, large, null)), "12345678");

        Three three = new Three(Optional.empty(), reply.maybe("12345678"), Optional.empty());
        reply.settle(three);

        assertIn(large, three.b().orElseThrow(), "12345678");
    }

    @Test
    void aResultThatIsLargerThanItsDestinationIsAnError() throws Exception {
        ByteBuffer small = ByteBuffer.allocate(3);
        Reply<Three> landed = new Reply<>(places(THREE, named(small, null, null)), "1234");
        Three one = new Three(landed.maybe("1234"), Optional.empty(), Optional.empty());
        assertThatThrownBy(() -> landed.settle(one))
                .isInstanceOf(XdrException.class)
                .hasMessage("an eligible result has 4 bytes, but its destination has room for only 3");

        Reply<Pair> inline = new Reply<>(places(PAIR, named(small, null)));
        assertThatThrownBy(() -> inline.next("1234")).isInstanceOf(XdrException.class);
        assertThat(text(inline.next("567"))).isEqualTo("567");
    }

    @Test
    void aDestinationIsFilledOnlyWhenWhatHadLandedThereIsSaved() throws Exception {
        // The call assumes four cells in the first row. With three in it, the last cell and the second head land in
        // each
        // other's memory.
        ByteBuffer[] heads = buffers(2);
        ByteBuffer[] cells = buffers(4);
        ResultPlaces<Rows> places = places(ROWS, Destinations.ofItems(into(heads), into(cells)));
        Reply<Rows> reply = new Reply<>(places, "head 0", "cell 0", "cell 1", "cell 2", "head 1", "cell 3");

        Row first = new Row(
                reply.next("head 0"), List.of(reply.next("cell 0"), reply.next("cell 1"), reply.next("cell 2")));
        Row second = new Row(reply.next("head 1"), List.of(reply.next("cell 3")));
        reply.settle(new Rows(List.of(first, second)));

        assertIn(heads[0], first.head(), "head 0");
        assertIn(heads[1], second.head(), "head 1");
        assertIn(cells[0], first.cells().get(0), "cell 0");
        assertIn(cells[1], first.cells().get(1), "cell 1");
        assertIn(cells[2], first.cells().get(2), "cell 2");
        assertIn(cells[3], second.cells().get(0), "cell 3");
        assertThat(report().movedBytes()).isEqualTo(12);
        assertThat(report().copiedBytes()).as("both, and one of them twice").isEqualTo(18);
        assertThat(report().copies()).isEqualTo(3);
    }

    @Test
    void aListOfMoreElementsThanDestinationsLosesNothing() throws Exception {
        // Behind the link, the call assumes the second element's item before the first one's. That of a third comes
        // before both.
        ByteBuffer[] into = buffers(2);
        ResultOrder<Integer, List<Payload>> order = ResultOrder.linked(
                args -> 3,
                each -> each,
                ResultOrder.none(),
                ResultOrder.payload(0, "[].b", (args, i) -> 8, each -> each));
        Reply<List<Payload>> reply = new Reply<>(places(order, Destinations.ofItems(into(into))), "third", "second");

        Payload third = reply.next("third");
        Payload second = reply.next("second");
        Payload first = reply.next("first");
        reply.settle(List.of(first, second, third));

        assertThat(text(third)).isEqualTo("third");
        assertIn(into[0], first, "first");
        assertIn(into[1], second, "second");
        assertThat(text(third)).as("in memory of its own").isEqualTo("third");
    }

    @Test
    void aResultMayBeLongerThanTheCallSaysIfItsDestinationHasRoom() throws Exception {
        ByteBuffer into = ByteBuffer.allocate(40);
        ResultOrder<Integer, Payload> order = ResultOrder.choice(
                ResultOrder.payload(0, "data", (args, i) -> 4, each -> each),
                ResultOrder.encoded("status", (args, i) -> 60));
        Reply<Payload> reply = new Reply<>(places(order, named(into)), "123456");

        Payload data = reply.next("123456");
        reply.settle(data);

        assertIn(into, data, "123456");
        assertThat(report().movedBytes()).isZero();
    }

    private interface Answer {}

    private record Small(Payload data) implements Answer {}

    private record Large(Payload first, Payload second) implements Answer {}

    @Test
    void eachArmHasItsOwnDestinations() throws Exception {
        ResultOrder<Integer, Answer> order = ResultOrder.choice(
                ResultOrder.arm(Small.class, ResultOrder.payload(0, "data", (args, i) -> 8, Small::data)),
                ResultOrder.arm(
                        Large.class,
                        ResultOrder.sequence(
                                ResultOrder.payload(1, "first", (args, i) -> 8, Large::first),
                                ResultOrder.payload(2, "second", (args, i) -> 8, Large::second))));
        ByteBuffer[] into = buffers(3);
        Reply<Answer> large = new Reply<>(places(order, named(into)), "first", "second");

        Large both = new Large(large.next("first"), large.next("second"));
        large.settle(both);

        assertIn(into[1], both.first(), "first");
        assertIn(into[2], both.second(), "second");
        assertThat(report().movedBytes())
                .as("the first was in the memory for the other arm")
                .isEqualTo(5);

        Reply<Answer> small = new Reply<>(places(order, named(into)), "small");
        Small one = new Small(small.next("small"));
        small.settle(one);
        assertIn(into[0], one.data(), "small");
    }

    @Test
    void whatHasNoPlaceIsAllocated() throws Exception {
        ResultOrder<Integer, List<Payload>> order = ResultOrder.array(
                args -> Integer.MAX_VALUE, each -> each, ResultOrder.payload(0, "[].a", (args, i) -> 8, each -> each));
        Reply<List<Payload>> reply = new Reply<>(places(order, Destinations.none()));

        assertThat(text(reply.next("alone"))).isEqualTo("alone");
    }

    @Test
    void aResultThatFillsTheMemoryWhereItLandsStays() throws Exception {
        ByteBuffer[] into = buffers(2);
        Reply<Pair> reply = new Reply<>(places(PAIR, named(into)), "12345678", "8");

        Pair pair = new Pair(reply.next("12345678"), reply.next("8"));

        assertIn(into[0], pair.a(), "12345678");
        assertThat(report().copies()).isZero();
    }

    @Test
    void aPayloadHasThePiecesOfItsDestination() throws Exception {
        Destination pieces = Destination.into(ByteBuffer.allocate(3), ByteBuffer.allocate(5));
        Reply<Three> reply = new Reply<>(places(THREE, Destinations.of(null, pieces, null)), "second");

        Payload second = reply.next("second");
        reply.settle(new Three(Optional.empty(), Optional.of(second), Optional.empty()));

        assertThat(second.length()).isEqualTo(6);
        assertThat(second.pieceCount()).isEqualTo(2);
        assertThat(text(second.piece(0)) + "|" + text(second.piece(1))).isEqualTo("sec|ond");
        ByteBuffer sink = ByteBuffer.allocate(6);
        second.fetchInto(sink).toCompletableFuture().join();
        assertThat(text(sink.rewind())).isEqualTo("second");
    }

    @Test
    void whatIsDecodedFromItsChunkIsAvailableAtOnce() throws Exception {
        ResultOrder<Integer, Three> order = ResultOrder.sequence(
                ResultOrder.encoded("status", (args, i) -> 8), ResultOrder.member(each -> each, THREE));
        Reply<Three> reply = new Reply<>(places(order, Destinations.none()), "state", "first");

        Payload status = reply.chunkAt(0, EligibleItems.UNKNOWN_LENGTH);
        assertThat(status).isNotNull();
        assertThat(text(status)).isEqualTo("state");
        Optional<Payload> first = reply.maybe("first");
        assertThat(first.orElseThrow().length()).isEqualTo(5);
        assertThat(first.orElseThrow()).hasToString("Payload[5 bytes]");
        assertThatIllegalStateException().isThrownBy(() -> first.orElseThrow().buffer());

        reply.settle(new Three(first, Optional.empty(), Optional.empty()));
        assertThat(text(first.orElseThrow())).isEqualTo("first");
    }

    @Test
    void aPayloadThatNoResultHasIsLeftAlone() throws Exception {
        ByteBuffer[] into = buffers(3);
        Reply<Three> reply = new Reply<>(places(THREE, named(into)), "first");
        Payload unused = reply.next("first");
        reply.settle(new Three(Optional.empty(), Optional.empty(), Optional.empty()));

        assertThatIllegalStateException().isThrownBy(unused::buffer);
        assertThat(report().copies()).isZero();
    }

    @Test
    void aCopyFillsTheBuffersOfADestinationOneAfterTheOther() throws Exception {
        ByteBuffer[] into = {ByteBuffer.allocate(2), ByteBuffer.allocate(1), ByteBuffer.allocate(9)};
        Payload filled = ResultCopy.into(
                Destination.into(into),
                List.of(ByteBuffer.wrap(bytes("-abcde"), 1, 4), ByteBuffer.wrap(bytes("fgh"))),
                counters);

        assertThat(filled.length()).isEqualTo(7);
        assertThat(text(filled)).isEqualTo("abcdfgh");
        assertThat(text(into[0]) + "|" + text(into[1]) + "|" + text(into[2].slice(0, 4)))
                .isEqualTo("ab|c|dfgh");
        assertThat(into[2].get(4)).as("a byte beyond the result").isZero();
        assertThat(report().copiedBytes()).isEqualTo(7);

        ByteBuffer[] other = {ByteBuffer.allocate(3), ByteBuffer.allocate(9)};
        ResultCopy.into(
                Destination.into(other),
                List.of(ByteBuffer.wrap(bytes("ab")), ByteBuffer.wrap(bytes("cdefg"))),
                counters);
        assertThat(text(other[0]) + "|" + text(other[1].slice(0, 4))).isEqualTo("abc|defg");
    }

    private void assertIn(ByteBuffer own, Payload payload, String text) throws Exception {
        assertThat(text(payload)).isEqualTo(text);
        assertThat(text(own.slice(0, text.length()))).isEqualTo(text);
        own.put(0, (byte) '!');
        assertThat(text(payload)).as("a view of the destination").startsWith("!");
    }

    private CallReport report() {
        return counters.report(Procedure.ofNull(RpcProgram.of("P", 1, 1)), Duration.ZERO, Optional.empty());
    }

    private static <R> ResultPlaces<R> places(ResultOrder<Integer, R> order, Destinations destinations) {
        return ResultPlaces.of(
                ProcedureBinding.<Integer, R>idempotent(args -> 0).withWriteChunks(Integer.MAX_VALUE, order),
                7,
                destinations,
                LIMITS);
    }

    private static Destinations named(@Nullable ByteBuffer... buffers) {
        return Destinations.of(Arrays.stream(buffers)
                .map(each -> each == null ? null : Destination.into(each))
                .toArray(Destination[]::new));
    }

    private static List<Destination> into(ByteBuffer... buffers) {
        return Arrays.stream(buffers).map(Destination::into).toList();
    }

    private static ByteBuffer[] buffers(int count) {
        ByteBuffer[] buffers = new ByteBuffer[count];
        Arrays.setAll(buffers, i -> ByteBuffer.allocate(8));
        return buffers;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String text(Payload payload) throws Exception {
        return text(payload.buffer());
    }

    private static String text(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }
}
