// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.emplace.rpc.ProcedureBinding.Violation;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.Test;

/** What a call provides for its results, and which destinations it rejects. */
final class ResultPlacesTest {
    private static final int ALLOCATION = 10_000;
    private static final int UNBOUNDED = 500;

    /** A result with an item, perhaps, and a list of elements with two items each. */
    private record Result(Optional<Payload> head, List<Pair> pairs, Payload tail) {}

    private record Pair(Payload a, Payload b) {}

    private static final ResultOrder<Integer, Result> HEAD =
            ResultOrder.option(Result::head, ResultOrder.payload(0, "head", (args, i) -> 10, head -> head));
    private static final ResultOrder<Integer, Pair> PAIR = ResultOrder.sequence(
            ResultOrder.payload(1, "pairs[].a", (args, i) -> 20, Pair::a),
            ResultOrder.payload(2, "pairs[].b", (args, i) -> 30, Pair::b));
    private static final ResultOrder<Integer, Result> TAIL =
            ResultOrder.payload(3, "tail", (args, i) -> 40, Result::tail);

    @Test
    void aPlaceHasRoomForALaterItemThatCanLandThere() {
        ResultPlaces<Result> places = places(ResultOrder.sequence(HEAD, TAIL), Destinations.none());

        assertThat(places.count()).isEqualTo(2);
        assertThat(places.get(0).room()).isEqualTo(10);
        assertThat(places.get(0).size()).isEqualTo(40);
        assertThat(places.get(1).size()).isEqualTo(40);
        assertThat(places.isFixed()).isFalse();
    }

    @Test
    void itemsThatAreAlwaysPresentNeedNoFurtherRoom() {
        ResultPlaces<Pair> places = places(PAIR, Destinations.none());

        assertThat(sizes(places)).containsExactly(20, 30);
        assertThat(places.isFixed()).isTrue();
    }

    @Test
    void theElementsOfAnArrayFollowOneAnother() {
        Destination[] into = buffers(20, 20, 30, 30, 40);
        ResultPlaces<Result> places = places(
                ResultOrder.sequence(ResultOrder.fixedArray(2, Result::pairs, PAIR), TAIL),
                elements(none(), List.of(into[0], into[1]), List.of(into[2], into[3]), List.of(into[4])));

        assertThat(destinations(places)).containsExactly(into[0], into[2], into[1], into[3], into[4]);
        assertThat(sizes(places)).containsExactly(20, 30, 20, 30, 40);
    }

    @Test
    void thereAreAsManyPlacesAsDestinationsAndTheRestGoesIntoTheReply() {
        ResultOrder<Integer, Result> order = ResultOrder.array(
                args -> 5, Result::pairs, ResultOrder.payload(0, "pairs[].a", (args, i) -> 20, Pair::a));

        ResultPlaces<Result> two = places(order, elements(List.of(buffer(20), buffer(20))));
        assertThat(two.count()).isEqualTo(2);
        assertThat(two.bytesBeyond(2)).isEqualTo(3 * 20);
        assertThat(two.bytesBeyond(0)).isEqualTo(5 * 20);
        assertThat(places(order, Destinations.none()).count()).isEqualTo(5);
    }

    @Test
    void aListWithoutALimitHasPlacesForItsDestinationsOnly() {
        ResultOrder<Integer, Result> order = ResultOrder.array(
                args -> Integer.MAX_VALUE,
                Result::pairs,
                ResultOrder.payload(0, "pairs[].a", (args, i) -> 20, Pair::a));

        assertThat(places(order, Destinations.none()).count()).isZero();
        ResultPlaces<Result> two = places(order, elements(List.of(buffer(20), buffer(20))));
        assertThat(two.count()).isEqualTo(2);
        assertThat(two.bytesBeyond(2)).as("as for any reply without a limit").isEqualTo(UNBOUNDED);
    }

    @Test
    void whatFollowsElementsWithoutPlacesCanBeInTheReply() {
        ResultOrder<Integer, Result> order = ResultOrder.sequence(
                ResultOrder.array(
                        args -> 5, Result::pairs, ResultOrder.payload(0, "pairs[].a", (args, i) -> 20, Pair::a)),
                ResultOrder.payload(1, "tail", (args, i) -> 4000, Result::tail));
        ResultPlaces<Result> places = places(order, elements(List.of(buffer(20), buffer(20)), List.of(buffer(4000))));

        assertThat(sizes(places)).containsExactly(4000, 4000, 4000);
        assertThat(places.bytesBeyond(3)).isEqualTo(3 * 20 + 4000);
    }

    @Test
    void emptyElementsWithoutPlacesMoveWhatFollowsThem() {
        ResultOrder<Integer, Result> order = ResultOrder.sequence(
                ResultOrder.array(
                        args -> 3, Result::pairs, ResultOrder.payload(0, "pairs[].a", (args, i) -> 0, Pair::a)),
                ResultOrder.payload(1, "tail", (args, i) -> 40, Result::tail),
                ResultOrder.payload(2, "last", (args, i) -> 8, Result::tail));
        ResultPlaces<Result> places =
                places(order, elements(List.of(buffer(20), buffer(20)), List.of(buffer(40)), List.of(buffer(8))));

        assertThat(sizes(places)).containsExactly(40, 40, 40, 40);
        assertThat(places.bytesBeyond(4)).isEqualTo(40 + 8);
    }

    @Test
    void theElementsOfAListWithoutPlacesHaveTheirOwnSizes() {
        ResultOrder<Integer, Result> order = ResultOrder.linked(
                args -> 4,
                args -> 4,
                Result::pairs,
                ResultOrder.payload(0, "pairs[].a", (args, i) -> 20L * i, Pair::a),
                ResultOrder.payload(1, "pairs[].b", (args, i) -> 100L * i, Pair::b));
        ResultPlaces<Result> places = places(order, elements(List.of(buffer(20), buffer(20)), none()));

        assertThat(places.bytesBeyond(places.count())).isEqualTo(20 * (2 + 3) + 100 * (0 + 1 + 2 + 3));
    }

    @Test
    void whatFollowsAListCanLandInThePlacesOfItsElements() {
        ResultOrder<Integer, Result> order = ResultOrder.sequence(
                ResultOrder.array(
                        args -> 5, Result::pairs, ResultOrder.payload(0, "pairs[].a", (args, i) -> 20, Pair::a)),
                ResultOrder.payload(1, "tail", (args, i) -> 40, Result::tail));

        assertThat(sizes(places(order, elements(List.of(buffer(20), buffer(20))))))
                .containsExactly(40, 40, 40);
    }

    @Test
    void membersBehindALinkComeInTheReverseOrderOfTheElements() {
        Destination[] into = buffers(20, 20, 30, 30);
        ResultPlaces<Result> places = places(
                ResultOrder.linked(
                        args -> Integer.MAX_VALUE,
                        Result::pairs,
                        ResultOrder.payload(0, "pairs[].a", (args, i) -> 20, Pair::a),
                        ResultOrder.payload(1, "pairs[].b", (args, i) -> 30, Pair::b)),
                elements(List.of(into[0], into[1]), List.of(into[2], into[3])));

        assertThat(destinations(places)).containsExactly(into[0], into[1], into[3], into[2]);
        assertThat(places.isFixed()).isFalse();
    }

    @Test
    void theArmsOfAUnionShareAPlaceWhoseMemoryIsThatOfANamedDestination() {
        Destination named = buffer(25);
        ResultOrder<Integer, Result> order = ResultOrder.choice(
                ResultOrder.encoded("status", (args, i) -> 60),
                ResultOrder.payload(0, "one", (args, i) -> 20, Result::tail),
                ResultOrder.payload(1, "other", (args, i) -> 30, Result::tail));
        ResultPlaces<Result> places = places(order, Destinations.of(null, named));

        assertThat(places.count()).isEqualTo(1);
        assertThat(places.get(0).destination()).isSameAs(named);
        assertThat(places.get(0).room()).isEqualTo(25);
        assertThat(places.get(0).size()).isEqualTo(60);
        assertThat(places.isFixed()).isFalse();
    }

    @Test
    void anItemThatTheArgumentsRuleOutHasNoPlace() {
        ResultOrder<Integer, Pair> item =
                ResultOrder.payload(0, "pairs[].a", (args, i) -> i == 1 ? ResultOrder.ABSENT : 10 + i, Pair::a);

        assertThat(sizes(places(array(ResultOrder.choice(item, ResultOrder.none())), Destinations.none())))
                .containsExactly(12, 12);
        assertThat(sizes(places(array(item), Destinations.none())))
                .as("an item that each element has is empty")
                .containsExactly(10, 0, 12);
    }

    @Test
    void theRuntimeAllocatesNoMoreThanItMay() {
        ResultOrder<Integer, Result> huge = ResultOrder.payload(0, "tail", (args, i) -> 0xffff_ffffL, Result::tail);
        assertThat(places(huge, Destinations.none()).get(0).size()).isEqualTo(ALLOCATION);
        assertThat(places(huge, Destinations.of(buffer(70_000))).get(0).size()).isEqualTo(70_000);

        ResultOrder<Integer, Result> unlimited =
                ResultOrder.payload(0, "tail", (args, i) -> ResultOrder.UNBOUNDED, Result::tail);
        assertThat(places(unlimited, Destinations.none()).get(0).size()).isEqualTo(UNBOUNDED);
        assertThat(places(unlimited, Destinations.of(buffer(70_000))).get(0).size())
                .isEqualTo(70_000);

        ResultOrder<Integer, Result> many = ResultOrder.array(
                args -> 5, Result::pairs, ResultOrder.payload(0, "pairs[].a", (args, i) -> 3000, Pair::a));
        assertThat(places(many, Destinations.none()).affordable()).isEqualTo(3);
    }

    @Test
    void theMemoryForLargerItemsIsLimited() {
        assertThat(places(someOf(10, 70_000), all(10, 70_000)).affordable())
                .as("as much as the caller has")
                .isEqualTo(2);

        ResultPlaces<Result> byReply = places(someOf(10, 10, 9000), all(10, 10, 9000));
        assertThat(sizes(byReply)).containsExactly(9000, 9000, 9000);
        assertThat(byReply.affordable()).isEqualTo(1);

        ResultPlaces<Result> claimed =
                places(someOf(10, Integer.MAX_VALUE), elements(List.of(buffer(10), Destination.allocate())));
        assertThat(sizes(claimed)).containsExactly(ALLOCATION, ALLOCATION);
        assertThat(claimed.affordable())
                .as("a size that no destination has gives nothing up")
                .isEqualTo(1);

        ResultPlaces<Result> direct = places(someOf(10, 10, 70_000), all(10, 10, 70_000));
        assertThat(sizes(direct))
                .as("room for what lands there if all are present")
                .containsExactly(70_000, 10, 70_000);
        assertThat(direct.affordable()).isEqualTo(3);
    }

    /** An array of elements that may lack their items, which have these sizes. */
    private static ResultOrder<Integer, Result> someOf(int... sizes) {
        return ResultOrder.arrayBySize(
                args -> sizes.length,
                Result::pairs,
                ResultOrder.choice(
                        ResultOrder.payload(0, "pairs[].a", (args, i) -> sizes[i], Pair::a), ResultOrder.none()));
    }

    private static Destinations all(int... sizes) {
        return elements(List.of(buffers(sizes)));
    }

    @Test
    void anAllocatedDestinationIsAsGoodAsNone() {
        Destination named = buffer(30);
        ResultOrder<Integer, Result> order = ResultOrder.choice(
                ResultOrder.payload(0, "one", (args, i) -> 20, Result::tail),
                ResultOrder.payload(1, "other", (args, i) -> 30, Result::tail));

        assertThat(destinations(places(order, Destinations.of(Destination.allocate(), named))))
                .containsExactly(named);
    }

    @Test
    void anItemBehindManyElementsHasItsOwnPlace() {
        Destination named = buffer(40);
        ResultOrder<Integer, Pair> a = ResultOrder.payload(0, "pairs[].a", (args, i) -> 20, Pair::a);
        ResultOrder<Integer, Result> tail = ResultOrder.payload(1, "tail", (args, i) -> 40, Result::tail);
        Destinations last = elements(none(), List.of(named));

        ResultPlaces<Result> fixed =
                places(ResultOrder.sequence(ResultOrder.fixedArray(5000, Result::pairs, a), tail), last);
        assertThat(fixed.count()).isEqualTo(5001);
        assertThat(fixed.get(5000).destination()).isSameAs(named);

        ResultPlaces<Result> bySize =
                places(ResultOrder.sequence(ResultOrder.arrayBySize(args -> 5000, Result::pairs, a), tail), last);
        assertThat(bySize.count()).as("as many as there can be chunks for").isEqualTo(1025);
        assertThat(bySize.indexOf(1, 0, 0)).isEqualTo(1024);
        assertThat(bySize.bytesBeyond(1025)).isEqualTo(ALLOCATION + 40);
    }

    @Test
    void thereMustBeADestinationForEachElementOfWhichCallersKnowTheNumber() {
        ResultOrder<Integer, Result> fixed = ResultOrder.fixedArray(2, Result::pairs, PAIR);
        assertThatThrownBy(() -> places(fixed, elements(none(), List.of(buffer(20)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("1 destinations for pairs[].a, which has 2 elements");

        ResultOrder<Integer, Result> bySize = ResultOrder.arrayBySize(args -> args, Result::pairs, PAIR);
        List<Destination> three = List.of(buffer(1), buffer(1), buffer(1));
        assertThatThrownBy(() -> places(bySize, elements(none(), none(), three)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("3 destinations for pairs[].b, which has 7 elements");
        ResultOrder<Integer, Result> listBySize =
                ResultOrder.linkedBySize(args -> args, Result::pairs, ResultOrder.none(), PAIR);
        assertThatThrownBy(() -> places(listBySize, elements(none(), none(), three)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("3 destinations for pairs[].b, which has 7 elements");

        ResultOrder<Integer, Result> bounded = ResultOrder.array(args -> 2, Result::pairs, PAIR);
        assertThatThrownBy(() -> places(bounded, elements(none(), none(), three)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("3 destinations for pairs[].b, which has at most 2 elements");
        assertThat(places(bounded, elements(none(), List.of(buffer(20)))).count())
                .isEqualTo(2);
    }

    @Test
    void thereMustBeNoDestinationForWhatTheResultsDoNotHave() {
        Destinations two = elements(none(), none(), none(), List.of(buffer(1), buffer(1)));
        for (ResultOrder<Integer, Result> order : List.of(TAIL, ResultOrder.sequence(HEAD, TAIL))) {
            assertThatThrownBy(() -> places(order, two))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("2 destinations for tail, of which there is one");
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
    void elementsWithoutDestinationsHaveSizesOfTheirOwn() {
        ResultOrder<Integer, Result> order = ResultOrder.sequence(
                ResultOrder.array(
                        args -> 5,
                        args -> 4,
                        Result::pairs,
                        ResultOrder.payload(0, "pairs[].a", (args, i) -> i < 4 ? 10 * (i + 1) : 0, Pair::a)),
                ResultOrder.payload(1, "tail", (args, i) -> 8, Result::tail));

        ResultPlaces<Result> two = places(order, elements(List.of(buffer(10), buffer(20))));
        assertThat(two.bytesBeyond(3)).as("two elements, and the tail").isEqualTo(32 + 40 + 8);
        assertThat(two.get(2).size()).isEqualTo(40);
    }

    @Test
    void whatCanComeAfterMoreElementsHasRoomAtLaterPlaces() {
        ResultOrder<Integer, Result> order = ResultOrder.sequence(
                ResultOrder.array(
                        args -> 5, Result::pairs, ResultOrder.payload(0, "pairs[].a", (args, i) -> 20, Pair::a)),
                ResultOrder.payload(1, "tail", (args, i) -> 40, Result::tail),
                ResultOrder.payload(2, "end", (args, i) -> 10, Result::tail),
                ResultOrder.payload(3, "last", (args, i) -> 10, Result::tail));

        assertThat(sizes(places(order, elements(List.of(buffer(20), buffer(20))))))
                .containsExactly(40, 40, 40, 40, 40);
    }

    @Test
    void theNumberOfAnItemTellsItsPlaceUnlessEarlierOnesCanBeAbsent() {
        ResultOrder<Integer, Pair> item = ResultOrder.payload(0, "pairs[].a", (args, i) -> 20, Pair::a);
        ResultOrder<Integer, Pair> maybe = ResultOrder.option(each -> Optional.of(each), item);

        assertFixed(true, HEAD);
        assertFixed(true, ResultOrder.sequence(HEAD, ResultOrder.none()));
        assertFixed(false, ResultOrder.sequence(HEAD, TAIL));
        assertFixed(false, ResultOrder.sequence(ResultOrder.sequence(HEAD, TAIL), ResultOrder.none()));
        assertFixed(true, ResultOrder.sequence(TAIL, HEAD));
        assertFixed(true, ResultOrder.fixedArray(2, Result::pairs, item));
        assertFixed(true, ResultOrder.fixedArray(1, Result::pairs, maybe));
        assertFixed(false, ResultOrder.fixedArray(2, Result::pairs, maybe));
        assertFixed(true, ResultOrder.sequence(ResultOrder.fixedArray(2, Result::pairs, item), TAIL));
        assertFixed(true, ResultOrder.array(args -> 2, Result::pairs, item));
        assertFixed(false, ResultOrder.array(args -> 2, Result::pairs, maybe));
        assertFixed(false, ResultOrder.sequence(ResultOrder.array(args -> 2, Result::pairs, item), TAIL));
        assertFixed(true, ResultOrder.linked(args -> 2, Result::pairs, item, ResultOrder.none()));
        assertFixed(false, ResultOrder.linked(args -> 2, Result::pairs, ResultOrder.none(), item));
        assertFixed(true, ResultOrder.choice(TAIL, ResultOrder.none()));
        assertFixed(true, ResultOrder.choice(TAIL, ResultOrder.encoded("status", (args, i) -> 60)));
        assertFixed(false, ResultOrder.choice(TAIL, HEAD));
        assertFixed(false, ResultOrder.choice(ResultOrder.sequence(HEAD, TAIL), ResultOrder.none()));
        assertFixed(false, ResultOrder.sequence(ResultOrder.choice(TAIL, ResultOrder.none()), HEAD));
        assertFixed(true, ResultOrder.sequence(ResultOrder.choice(TAIL, TAIL_OF_ANOTHER_KIND), HEAD));
    }

    private static final ResultOrder<Integer, Result> TAIL_OF_ANOTHER_KIND =
            ResultOrder.encoded("other", (args, i) -> 40);

    private static void assertFixed(boolean isFixed, ResultOrder<Integer, Result> order) {
        assertThat(places(order, Destinations.none()).isFixed()).isEqualTo(isFixed);
    }

    /** Rows of a head and cells. */
    private record Grid(List<Line> lines, Payload tail) {}

    private record Line(Payload head, List<Payload> cells) {}

    private static ResultOrder<Integer, Line> line(ResultOrder<Integer, Line> cells) {
        return ResultOrder.sequence(ResultOrder.payload(0, "lines[].head", (args, i) -> 10 + i, Line::head), cells);
    }

    private static ResultOrder<Integer, Payload> cell(int size) {
        return ResultOrder.payload(1, "lines[].cells[].a", (args, i) -> size + i, each -> each);
    }

    @Test
    void theElementsOfInnerArraysCountThrough() {
        ResultOrder<Integer, Grid> order =
                ResultOrder.fixedArray(2, Grid::lines, line(ResultOrder.fixedArray(3, Line::cells, cell(20))));
        Destination[] heads = buffers(10, 11);
        Destination[] cells = buffers(20, 20, 20, 21, 21, 21);

        ResultPlaces<Grid> places = places(order, elements(List.of(heads), List.of(cells)));

        assertThat(destinations(places))
                .containsExactly(heads[0], cells[0], cells[1], cells[2], heads[1], cells[3], cells[4], cells[5]);
        assertThat(sizes(places)).containsExactly(10, 20, 20, 20, 11, 21, 21, 21);
        assertThatThrownBy(() -> places(order, elements(none(), List.of(heads))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("2 destinations for lines[].cells[].a, which has 6 elements");
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
    void theDestinationsOfInnerArraysAreDividedEvenly() {
        ResultOrder<Integer, Grid> order = ResultOrder.sequence(
                ResultOrder.array(args -> 3, Grid::lines, line(ResultOrder.array(args -> 4, Line::cells, cell(20)))),
                ResultOrder.payload(2, "tail", (args, i) -> 5, Grid::tail));
        Destination[] heads = buffers(10, 11);
        Destination[] cells = buffers(20, 20, 20, 20, 20);

        ResultPlaces<Grid> places = places(order, elements(List.of(heads), List.of(cells)));

        assertThat(destinations(places).subList(0, 7))
                .containsExactly(heads[0], cells[0], cells[1], cells[2], heads[1], cells[3], cells[4]);
        assertThat(places.count()).isEqualTo(8);
        // One more cell in each of the two lines, and a line of a head and four cells.
        int withoutPlace = 1 * 20 + 2 * 24 + 12 + 4 * 24;
        // What follows the first of these: the second line's head and two cells, and the tail.
        int moved = 12 + 2 * 24 + 8;
        assertThat(places.bytesBeyond(8)).isEqualTo(withoutPlace + moved);
    }

    @Test
    void theDestinationsOfInnerArraysTellHowManyOuterElementsThereAre() {
        ResultOrder<Integer, Grid> order = ResultOrder.array(
                args -> Integer.MAX_VALUE, Grid::lines, line(ResultOrder.fixedArray(2, Line::cells, cell(20))));

        assertThat(places(order, elements(none(), List.of(buffers(20, 20, 20)))).count())
                .isEqualTo(2 * 3);
        assertThat(places(order, elements(none(), List.of(buffers(20, 20, 20, 20))))
                        .count())
                .isEqualTo(2 * 3);
    }

    @Test
    void anItemBehindOperationsIsNotAtAnEarlierPlaceUnlessOneFails() {
        ResultOrder<Integer, Pair> item =
                ResultOrder.payload(0, "pairs[].a", (args, i) -> i == 1 ? ResultOrder.ABSENT : 20 + 10 * i, Pair::a);
        ResultOrder<Integer, Pair> answer = ResultOrder.choice(item, ResultOrder.none());

        assertThat(sizes(places(ResultOrder.operations(args -> 4, Result::pairs, answer), Destinations.none())))
                .containsExactly(20, 40, 50);
        assertThat(sizes(places(ResultOrder.arrayBySize(args -> 4, Result::pairs, answer), Destinations.none())))
                .containsExactly(50, 50, 50);
    }

    @Test
    void theRuntimeProvidesChunksUpToItsLimit() {
        ResultOrder<Integer, Result> many = ResultOrder.array(
                args -> 5, Result::pairs, ResultOrder.payload(0, "pairs[].a", (args, i) -> ALLOCATION / 5, Pair::a));
        assertThat(places(many, Destinations.none()).affordable()).isEqualTo(5);
        assertThat(places(many, elements(List.of(buffer(1), buffer(10)))).affordable())
                .isEqualTo(2);
        assertThat(places(many, elements(List.of(buffer(1), buffer(10)))).bytesBeyond(0))
                .isEqualTo(ALLOCATION);
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
        assertThatThrownBy(() -> requireSuitable(
                        HEAD,
                        Destinations.of(Destination.into(ByteBuffer.allocate(1).asReadOnlyBuffer()))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static void requireSuitable(ResultOrder<Integer, Result> order, Destinations destinations) {
        ResultPlaces.requireSuitable(
                binding(order), 7, destinations, new ResultLimits(Integer.MAX_VALUE, ALLOCATION, UNBOUNDED));
    }

    @Test
    void aPlaceWithoutADestinationIsAllocated() {
        ResultPlaces<Pair> places = places(PAIR, Destinations.of());
        assertThat(places.get(0).isAllocated()).isTrue();
        ResultPlaces<Result> named = places(
                ResultOrder.fixedArray(2, Result::pairs, PAIR),
                elements(none(), List.of(Destination.allocate(), buffer(20))));
        assertThat(named.get(0).isAllocated()).isTrue();
        assertThat(named.get(2).isAllocated()).isFalse();
        assertThat(named.indexOf(1, 1, 0)).isEqualTo(2);
        assertThat(named.indexOf(2, 2, 0)).isNegative();
        assertThat(named.named(1, 0)).isNull();
    }

    private static ResultOrder<Integer, Result> array(ResultOrder<Integer, Pair> element) {
        return ResultOrder.arrayBySize(args -> 3, Result::pairs, element);
    }

    private static void assertShared(ResultOrder<Integer, Result> order, ByteBuffer first, ByteBuffer second) {
        assertThatThrownBy(() -> places(order, pair(first, second)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("share memory")
                .hasMessageContaining("pairs[].a of element 0")
                .hasMessageContaining("pairs[].b of element 0");
    }

    private static Destinations pair(ByteBuffer first, ByteBuffer second) {
        return elements(none(), List.of(Destination.into(first)), List.of(Destination.into(second)));
    }

    private static <T> ResultPlaces<T> places(ResultOrder<Integer, T> order, Destinations destinations) {
        return ResultPlaces.of(
                binding(order), 7, destinations, new ResultLimits(Integer.MAX_VALUE, ALLOCATION, UNBOUNDED));
    }

    private static <T> ProcedureBinding<Integer, T> binding(ResultOrder<Integer, T> order) {
        return new ProcedureBinding<>(false, order, args -> 0, 0, Integer.MAX_VALUE, true, Violation.GARBAGE_ARGS);
    }

    private static List<Integer> sizes(ResultPlaces<?> places) {
        return IntStream.range(0, places.count())
                .mapToObj(i -> places.get(i).size())
                .toList();
    }

    private static List<Destination> destinations(ResultPlaces<?> places) {
        return IntStream.range(0, places.count())
                .mapToObj(i -> places.get(i).destination())
                .toList();
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static Destinations elements(List<Destination>... byItem) {
        return Destinations.ofElements(Arrays.asList(byItem));
    }

    private static List<Destination> none() {
        return List.of();
    }

    private static Destination buffer(int size) {
        return Destination.into(ByteBuffer.allocate(size));
    }

    private static Destination[] buffers(int... sizes) {
        return Arrays.stream(sizes).mapToObj(ResultPlacesTest::buffer).toArray(Destination[]::new);
    }
}
