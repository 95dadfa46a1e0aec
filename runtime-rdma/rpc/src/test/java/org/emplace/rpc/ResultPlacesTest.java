// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.TestResults.ALLOCATION;
import static org.emplace.rpc.TestResults.HEAD;
import static org.emplace.rpc.TestResults.PAIR;
import static org.emplace.rpc.TestResults.TAIL;
import static org.emplace.rpc.TestResults.buffer;
import static org.emplace.rpc.TestResults.buffers;
import static org.emplace.rpc.TestResults.cell;
import static org.emplace.rpc.TestResults.destinations;
import static org.emplace.rpc.TestResults.elements;
import static org.emplace.rpc.TestResults.line;
import static org.emplace.rpc.TestResults.none;
import static org.emplace.rpc.TestResults.places;
import static org.emplace.rpc.TestResults.sizes;

import java.util.List;
import java.util.Optional;
import org.emplace.rpc.TestResults.Grid;
import org.emplace.rpc.TestResults.Line;
import org.emplace.rpc.TestResults.Pair;
import org.emplace.rpc.TestResults.Result;
import org.junit.jupiter.api.Test;

/** What a call provides for its results: which item can be where, whose memory that is, and how large it must be. */
final class ResultPlacesTest {
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
    void aPlaceHasNoRoomForWhatCannotLandThere() {
        assertThat(sizes(
                        places(ResultOrder.sequence(maybe(0, 10), always(1, 20), always(2, 100)), Destinations.none())))
                .as("two before the last, or one")
                .containsExactly(20, 100, 100);
        assertThat(sizes(places(ResultOrder.sequence(maybe(0, 5), maybe(1, 100), maybe(2, 10)), Destinations.none())))
                .containsExactly(100, 100, 10);
    }

    @Test
    void aListOfFewerElementsHasItsLastItemsEarlier() {
        ResultOrder<Integer, Result> order = ResultOrder.linked(
                args -> 2,
                Result::pairs,
                ResultOrder.none(),
                ResultOrder.payload(0, "pairs[].b", (args, i) -> i == 0 ? 300 : 30, Pair::b));

        ResultPlaces<Result> places = places(order, elements(List.of(buffers(300, 300))));
        assertThat(sizes(places)).containsExactly(300, 300);
        assertThat(places.get(0).room())
                .as("all of a destination is used before other memory")
                .isEqualTo(300);
        assertThat(places(order, elements(List.of(buffers(300, 40)))).get(0).room())
                .isEqualTo(40);
    }

    @Test
    void aSingleItemHasItsDestination() {
        Destination own = buffer(25);
        ResultPlaces<Result> places = places(always(0, 20), Destinations.of(own));

        assertThat(places).hasToString("ResultPlaces[1]");
        assertThat(destinations(places)).containsExactly(own);
        assertThat(places.get(0).room()).isEqualTo(20);
        assertThat(places.get(0).isAllocated()).isFalse();
        assertThat(places.indexOf(0, 0, 1, 0)).isZero();
        assertThat(places(ResultOrder.<Integer, Result>none(), Destinations.none())
                        .count())
                .isZero();
    }

    private static ResultOrder<Integer, Result> maybe(int item, int size) {
        return ResultOrder.option(Result::head, ResultOrder.payload(item, "maybe", (args, i) -> size, head -> head));
    }

    private static ResultOrder<Integer, Result> always(int item, int size) {
        return ResultOrder.payload(item, "always", (args, i) -> size, Result::tail);
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
    void ofTheArmsOfAUnionThatWithTheLargestDestinationHasTheMemory() {
        Destination one = buffer(25);
        Destination other = buffer(35);
        ResultOrder<Integer, Result> status = ResultOrder.encoded("status", (args, i) -> 60);

        assertThat(destinations(places(ResultOrder.choice(always(0, 20), always(1, 30)), Destinations.of(one, other))))
                .containsExactly(other);
        assertThat(destinations(places(ResultOrder.choice(always(0, 30), always(1, 20)), Destinations.of(other, one))))
                .containsExactly(other);
        assertThat(destinations(places(
                        ResultOrder.choice(always(0, 20), status, always(1, 30)), Destinations.of(buffer(60), other))))
                .as("the larger result, whatever larger items need of the other's destination")
                .containsExactly(other);
        assertThat(places(ResultOrder.choice(always(0, 20), always(1, 30)), Destinations.none())
                        .get(0)
                        .room())
                .as("of new memory")
                .isEqualTo(30);
        assertThat(destinations(places(ResultOrder.choice(always(0, 20), status), Destinations.of(one))))
                .containsExactly(one);
        ResultPlaces<Result> unnamed = places(ResultOrder.choice(status, always(0, 20)), Destinations.none());
        assertThat(unnamed.indexOf(0, 0, 1, 0))
                .as("a payload before other items")
                .isZero();
        assertThat(unnamed.get(0).room()).isEqualTo(20);
        assertThat(places(ResultOrder.sequence(status, maybe(0, 20)), Destinations.none())
                        .get(0)
                        .room())
                .isEqualTo(60);
    }

    @Test
    void aUnionHasPlacesForItsLongestArmAndAtLeastThoseOfItsShortest() {
        ResultOrder<Integer, Result> both = ResultOrder.sequence(always(0, 10), always(1, 20));

        assertThat(sizes(places(ResultOrder.choice(both, ResultOrder.none()), Destinations.none())))
                .containsExactly(10, 20);
        assertThat(sizes(places(
                        ResultOrder.sequence(ResultOrder.choice(always(0, 10), always(1, 20)), always(2, 100)),
                        Destinations.none())))
                .containsExactly(20, 100);
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
    void whetherAnItemCanBeRuledOutDependsOnWhatIsAroundIt() {
        ResultOrder<Integer, Result> ruledOut =
                ResultOrder.payload(1, "tail", (args, i) -> ResultOrder.ABSENT, Result::tail);

        assertThat(sizes(places(ResultOrder.sequence(maybe(0, 10), ruledOut), Destinations.none())))
                .as("an option before it")
                .containsExactly(10, 0);
        assertThat(sizes(places(
                        ResultOrder.<Integer, Result, Result>option(
                                Optional::of, ResultOrder.sequence(maybe(0, 10), ruledOut)),
                        Destinations.none())))
                .as("an option around it")
                .containsExactly(10);
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
        assertThat(fixed.count()).as("as many as there can be chunks for").isEqualTo(1025);
        assertThat(fixed.indexOf(1, 0, 1025, 5000)).isEqualTo(1024);
        assertThat(fixed.indexOf(1, 0, 1024, 5000)).as("not one of the first").isNegative();
        assertThat(fixed.get(1024).destination()).isSameAs(named);
        assertThat(fixed.isFixed())
                .as("the number of the last item is not that of its place")
                .isFalse();

        ResultOrder<Integer, Pair> lastOnes =
                ResultOrder.payload(0, "pairs[].a", (args, i) -> i < 1900 ? 0 : 4, Pair::a);
        assertThat(places(ResultOrder.fixedArray(2000, Result::pairs, lastOnes), Destinations.none())
                        .unplacedBytes(1024))
                .as("the elements without places have their own sizes")
                .isEqualTo(100 * 4);

        ResultPlaces<Result> bySize =
                places(ResultOrder.sequence(ResultOrder.arrayBySize(args -> 5000, Result::pairs, a), tail), last);
        assertThat(bySize.count()).as("as many as there can be chunks for").isEqualTo(1025);
        assertThat(bySize.indexOf(1, 0, 1025, 0)).isEqualTo(1024);
        assertThat(bySize.unplacedBytes(1025)).isEqualTo(ALLOCATION + 40);
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
    void aPlaceWithoutADestinationIsAllocated() {
        ResultPlaces<Pair> places = places(PAIR, Destinations.of());
        assertThat(places.get(0).isAllocated()).isTrue();
        ResultPlaces<Result> named = places(
                ResultOrder.fixedArray(2, Result::pairs, PAIR),
                elements(none(), List.of(Destination.allocate(), buffer(20))));
        assertThat(named.get(0).isAllocated()).isTrue();
        assertThat(named.get(2).isAllocated()).isFalse();
        assertThat(named.indexOf(1, 1, 4, 0)).isEqualTo(2);
        assertThat(named.indexOf(2, 2, 4, 0)).isNegative();
        assertThat(named.indexOf(1, 1, 0, 0)).as("of none").isNegative();
        assertThat(named.named(1, 0)).isNull();
    }

    private static ResultOrder<Integer, Result> array(ResultOrder<Integer, Pair> element) {
        return ResultOrder.arrayBySize(args -> 3, Result::pairs, element);
    }
}
