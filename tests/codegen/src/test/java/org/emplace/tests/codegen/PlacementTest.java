// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.emplace.rpc.Destination;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ResultPlaces;
import org.emplace.rpc.ResultPlaces.Limits;
import org.emplace.tests.codegen.placement.Armed;
import org.emplace.tests.codegen.placement.Arms;
import org.emplace.tests.codegen.placement.Around;
import org.emplace.tests.codegen.placement.Blob;
import org.emplace.tests.codegen.placement.Both;
import org.emplace.tests.codegen.placement.Entry;
import org.emplace.tests.codegen.placement.Grid;
import org.emplace.tests.codegen.placement.Hidden;
import org.emplace.tests.codegen.placement.Lists;
import org.emplace.tests.codegen.placement.Note;
import org.emplace.tests.codegen.placement.Nothing;
import org.emplace.tests.codegen.placement.One;
import org.emplace.tests.codegen.placement.Ones;
import org.emplace.tests.codegen.placement.Options;
import org.emplace.tests.codegen.placement.Pair;
import org.emplace.tests.codegen.placement.Pairs;
import org.emplace.tests.codegen.placement.Piece;
import org.emplace.tests.codegen.placement.Pieces;
import org.emplace.tests.codegen.placement.Placement1;
import org.emplace.tests.codegen.placement.Placement1Client;
import org.emplace.tests.codegen.placement.Range;
import org.emplace.tests.codegen.placement.ReadArgs;
import org.emplace.tests.codegen.placement.Row;
import org.emplace.tests.codegen.placement.Scraps;
import org.emplace.tests.codegen.placement.Sized;
import org.emplace.tests.codegen.placement.SizedList;
import org.emplace.xdr.EncodedMessage.ChunkMark;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrUnsignedInts;
import org.junit.jupiter.api.Test;

/** The order of results in generated code: for each payload of a result it knows the item and the element, wherever the definition has it. */
class PlacementTest {

    @Test
    void theItemsOfAnElementAreFoundByElement() {
        Pairs pairs = new Pairs(List.of(pair("a", "b"), pair("A", "B")), bytes("t"));

        assertThat(found(Placement1.PAIRS, 0, pairs)).isEqualTo("a0=a b0=b a1=A b1=B c0=t");
        assertThat(Wire.sizes(Placement1.PAIRS, 0)).containsExactly(100_000L, 100_000L, 100_000L, 100_000L, 100_000L);
    }

    @Test
    void anArrayMayHaveFewerElementsThanItsBound() {
        assertThat(found(Placement1.ONES, 0, new Ones(List.of(one("x"), one("y")))))
                .isEqualTo("a0=x a1=y");
        assertThat(found(Placement1.ONES, 0, new Ones(List.of()))).isEmpty();
        assertThat(Wire.sizes(Placement1.ONES, 0)).hasSize(5);
    }

    @Test
    void elementsOfNestedArraysCountThrough() {
        Grid grid = new Grid(List.of(row("a"), row(), row("b", "c")), row("d", "e"));

        assertThat(found(Placement1.GRID, 0, grid)).isEqualTo("a0=a a1=b a2=c b0=d b1=e");
        assertThat(found(
                        Placement1.BLOCK,
                        0,
                        List.of(List.of(one("a"), one("b")), List.of(one("c"), one("d")), List.of(one("e"), one("f")))))
                .isEqualTo("a0=a a1=b a2=c a3=d a4=e a5=f");
        assertThat(found(Placement1.ROW, 0, row("x", "y"))).isEqualTo("a0=x a1=y");
    }

    @Test
    void absentItemsAreLeftOut() {
        Payload numbers = bytes("nnnnnnnn");
        assertThat(found(
                        Placement1.OPTIONS,
                        0,
                        new Options(
                                Optional.of(bytes("f")),
                                Optional.of(one("s")),
                                Optional.of(numbers),
                                Optional.of(new Blob(1, XdrOpaque.EMPTY)),
                                bytes("l"))))
                .isEqualTo("a0=f b0=s c0=n d0=l");
        assertThat(found(
                        Placement1.OPTIONS,
                        0,
                        new Options(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(numbers),
                                Optional.empty(),
                                bytes("l"))))
                .isEqualTo("c0=n d0=l");
        assertThat(found(Placement1.MAYBE, 0, Optional.of(bytes("m")))).isEqualTo("a0=m");
        assertThat(found(Placement1.MAYBE, 0, Optional.empty())).isEmpty();
        // The fourth of the items is an encoded one, which has no destination.
        assertThat(Wire.sizes(Placement1.OPTIONS, 0)).containsExactly(100_000L, 100_000L, 8000L, 20_008L, 100_000L);
    }

    @Test
    void itemsBehindALinkBelongToTheirElement() {
        Lists lists = new Lists(
                List.of(new Entry(1, bytes("1")), new Entry(2, bytes("2"))),
                List.of(new Around(bytes("h"), bytes("f")), new Around(bytes("H"), bytes("F"))),
                List.of(new Note(7)),
                bytes("e"));

        assertThat(found(Placement1.LISTS, 0, lists).split(" "))
                .containsExactlyInAnyOrder("a0=1", "a1=2", "b0=h", "b1=H", "c0=f", "c1=F", "d0=e");
        assertThat(found(Placement1.ENTRIES, 0, lists.entries())).isEqualTo("a0=1 a1=2");
    }

    @Test
    void eachArmHasItsOwnItems() {
        assertThat(found(Placement1.ARMED, 0, armed(new Arms.Case0(bytes("w")))))
                .isEqualTo("a0=w e0=r");
        assertThat(found(Placement1.ARMED, 0, armed(new Arms.Case1(pair("a", "b")))))
                .isEqualTo("b0=a c0=b e0=r");
        assertThat(found(Placement1.ARMED, 0, armed(new Arms.Case2(3, bytes("nnnnnnnn")))))
                .isEqualTo("d0=n e0=r");
        assertThat(found(Placement1.ARMED, 0, armed(new Arms.Default(9)))).isEqualTo("e0=r");
        assertThat(Wire.sizes(Placement1.ARMED, 0)).containsExactly(100_000L, 100_000L, 2048L);
    }

    @Test
    void whatFollowsAnArmWithoutItemsCanBeInThePlaceOfAnotherArm() {
        ResultPlaces<Scraps> places = places(Placement1.SCRAPS, 0, Destinations.none());

        assertThat(places.get(0).room()).isEqualTo(90);
        assertThat(places.get(0).size()).isEqualTo(2048);
        assertThat(places.isFixed()).isFalse();
    }

    @Test
    void membersBehindALinkComeBehindTheListTheLastElementFirst() {
        List<Destination> heads = List.of(buffer(), buffer());
        List<Destination> feet = List.of(buffer(), buffer());
        ResultPlaces<Lists> places =
                places(Placement1.LISTS, 0, Destinations.ofItems(List.of(), heads, feet, List.of()));

        assertThat(IntStream.range(0, 4).mapToObj(i -> places.get(i).destination()))
                .containsExactly(heads.get(0), heads.get(1), feet.get(1), feet.get(0));
    }

    @Test
    void itemsMayHaveTheNamesOfMethods() {
        assertThat(found(Placement1.HIDDEN, 0, new Hidden(bytes("x"), one("y"))))
                .isEqualTo("a0=x b0=y");
    }

    @Test
    void sizesComeFromTheArgumentsElementOfTheSameIndex() {
        ReadArgs args = new ReadArgs(List.of(new Range(0, 5), new Range(0, -1), new Range(0, 7)));
        Pieces pieces =
                new Pieces(List.of(new Piece.Case1(bytes("p")), new Piece.Default(2), new Piece.Case0(bytes("q"))));

        assertThat(found(Placement1.READ, args, pieces)).isEqualTo("b0=p a2=q");
        assertThat(Wire.sizes(Placement1.READ, args)).containsExactly(5L, 0L, 7L);
        assertThat(Wire.sizes(Placement1.READ_BOTH, new Placement1.ReadBothArgs(XdrUnsignedInts.of(1, 2), 0)))
                .containsExactly(5L, 6L, 5L, 6L);
        assertThat(found(
                        Placement1.READ_BOTH,
                        new Placement1.ReadBothArgs(XdrUnsignedInts.of(1, 2), 0),
                        new Both(
                                List.of(new Sized(bytes("x"))),
                                List.of(new SizedList(new Sized(bytes("y"))), new SizedList(new Sized(bytes("z")))))))
                .isEqualTo("a0=x b0=y b1=z");
    }

    @Test
    void whatNeverHasAnyBytesIsNoPayload() {
        assertThat(Wire.encoded(new Nothing(XdrOpaque.EMPTY, XdrOpaque.EMPTY)).marks())
                .isEmpty();
        assertThat(Wire.sizes(Placement1.NOTHING, new Nothing(XdrOpaque.EMPTY, XdrOpaque.EMPTY)))
                .isEmpty();
    }

    @Test
    void theFirstFlagOfAnEligibleListStaysInTheMessage() throws XdrException {
        Lists two = lists(new Note(7), new Note(8));
        assertThat(Wire.encoded(two).marks()).extracting(ChunkMark::length).containsExactly(16L, 1L);
        assertThat(Wire.hex(two))
                .isEqualTo("00000000" + "00000000" + "00000001" + "00000007" + "00000001" + "00000008" + "00000000"
                        + "00000001" + "65000000");
        assertThat(Wire.value(Wire.hex(two), Lists::decode).notes()).isEqualTo(two.notes());

        Lists none = lists();
        assertThat(Wire.encoded(none).marks()).extracting(ChunkMark::length).containsExactly(1L);
        assertThat(Wire.value(Wire.hex(none), Lists::decode).notes()).isEmpty();
    }

    @Test
    void theClientHandsDestinationsOnByElement() {
        RecordedCalls calls = new RecordedCalls();
        Placement1Client client = Placement1Client.on(calls);
        Destination a1 = Destination.allocate();
        Destination c = Destination.allocate();

        client.pairsAsync(
                0,
                Placement1.PairsDestinations.anywhere()
                        .withA(Arrays.asList(null, a1))
                        .withTail(c));
        Destinations pairs = calls.last().destinations();
        assertThat(pairs.get(0, 0)).isNull();
        assertThat(pairs.get(0, 1)).isSameAs(a1);
        assertThat(pairs.get(1, 0)).isNull();
        assertThat(pairs.get(2, 0)).isSameAs(c);

        client.onesAsync(0, List.of(a1, c));
        assertThat(calls.last().destinations().get(0, 1)).isSameAs(c);
        client.onesAsync(0, null);
        assertThat(calls.last().destinations().count(0)).isZero();

        client.hiddenAsync(0, null, c);
        assertThat(calls.last().destinations().get(0, 0)).isNull();
        assertThat(calls.last().destinations().get(1, 0)).isSameAs(c);
    }

    /** The payloads of a result: a letter for the item, the number of the element, and the first byte. */
    private static <A, R> String found(Procedure<A, R> procedure, A arguments, R results) {
        List<String> found = new ArrayList<>();
        places(procedure, arguments, Destinations.none())
                .visit(
                        results,
                        (item, element, payload) ->
                                found.add((char) ('a' + item) + "" + element + "=" + first(payload)));
        return String.join(" ", found);
    }

    private static <A, R> ResultPlaces<R> places(Procedure<A, R> procedure, A arguments, Destinations destinations) {
        Limits limits = new Limits(Integer.MAX_VALUE, Integer.MAX_VALUE, 0);
        return ResultPlaces.of(procedure.binding(), arguments, destinations, limits);
    }

    private static Destination buffer() {
        return Destination.into(ByteBuffer.allocate(10_000));
    }

    private static char first(Payload payload) {
        try {
            return (char) payload.buffer().get(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Armed armed(Arms chosen) {
        return new Armed(chosen, Payload.of(ByteBuffer.allocate(2048).put(0, (byte) 'r')));
    }

    private static Lists lists(Note... notes) {
        return new Lists(List.of(), List.of(), List.of(notes), bytes("e"));
    }

    private static Pair pair(String a, String b) {
        return new Pair(bytes(a), bytes(b));
    }

    private static One one(String text) {
        return new One(bytes(text));
    }

    private static Row row(String... texts) {
        return new Row(Arrays.stream(texts).map(PlacementTest::one).toList());
    }

    private static Payload bytes(String text) {
        return Payload.of(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    }
}
