// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.TestResults.ALLOCATION;
import static org.emplace.rpc.TestResults.UNBOUNDED;
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

/** What a call does not provide: memory beyond its limits, and places for elements without destinations. */
final class UnplacedResultsTest {
    @Test
    void thereAreAsManyPlacesAsDestinationsAndTheRestGoesIntoTheReply() {
        ResultOrder<Integer, Result> order = ResultOrder.array(
                args -> 5, Result::pairs, ResultOrder.payload(0, "pairs[].a", (args, i) -> 20, Pair::a));

        ResultPlaces<Result> two = places(order, elements(List.of(buffer(20), buffer(20))));
        assertThat(two.count()).isEqualTo(2);
        assertThat(two.unplacedBytes(2)).isEqualTo(3 * 20);
        assertThat(two.unplacedBytes(0)).isEqualTo(5 * 20);
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
        assertThat(two.unplacedBytes(2)).as("as for any reply without a limit").isEqualTo(UNBOUNDED);
    }

    @Test
    void whatFollowsElementsWithoutPlacesCanBeInTheReply() {
        ResultOrder<Integer, Result> order = ResultOrder.sequence(
                ResultOrder.array(
                        args -> 5, Result::pairs, ResultOrder.payload(0, "pairs[].a", (args, i) -> 20, Pair::a)),
                ResultOrder.payload(1, "tail", (args, i) -> 4000, Result::tail));
        ResultPlaces<Result> places = places(order, elements(List.of(buffer(20), buffer(20)), List.of(buffer(4000))));

        assertThat(sizes(places)).containsExactly(4000, 4000, 4000);
        assertThat(places.unplacedBytes(3)).isEqualTo(3 * 20 + 4000);
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
        assertThat(places.unplacedBytes(4)).isEqualTo(40 + 8);
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

        assertThat(places.unplacedBytes(places.count())).isEqualTo(20 * (2 + 3) + 100 * (0 + 1 + 2 + 3));

        ResultPlaces<Result> both =
                places(order, elements(List.of(buffer(20), buffer(20)), List.of(buffer(100), buffer(100))));
        assertThat(both.unplacedBytes(both.count()))
                .as("of two elements, and what the second one has behind its link, which comes after them")
                .isEqualTo((20 + 100) * (2 + 3) + 100);
    }

    @Test
    void anArmHasNothingBeyondItsOwnElements() {
        ResultOrder<Integer, Result> order = ResultOrder.choice(
                ResultOrder.array(
                        args -> 3, Result::pairs, ResultOrder.payload(0, "pairs[].a", (args, i) -> 20, Pair::a)),
                ResultOrder.sequence(
                        ResultOrder.array(
                                args -> Integer.MAX_VALUE,
                                Result::pairs,
                                ResultOrder.<Integer, Pair, Pair>option(
                                        Optional::of,
                                        ResultOrder.payload(1, "pairs[].b", (args, i) -> ResultOrder.ABSENT, Pair::b))),
                        ResultOrder.payload(2, "tail", (args, i) -> 40, Result::tail)));

        ResultPlaces<Result> places = places(order, elements(List.of(buffer(20))));
        assertThat(places.count()).isEqualTo(1);
        assertThat(places.unplacedBytes(1)).isEqualTo(2 * 20);
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
        assertThat(two.unplacedBytes(3)).as("two elements, and the tail").isEqualTo(32 + 40 + 8);
        assertThat(two.get(2).size()).isEqualTo(40);
    }

    @Test
    void theDestinationsOfInnerArraysFillOneAfterTheOther() {
        ResultOrder<Integer, Grid> order = ResultOrder.sequence(
                ResultOrder.array(args -> 3, Grid::lines, line(ResultOrder.array(args -> 4, Line::cells, cell(20)))),
                ResultOrder.payload(2, "tail", (args, i) -> 5, Grid::tail));
        Destination[] heads = buffers(10, 11);
        Destination[] cells = buffers(20, 20, 20, 20, 20);

        ResultPlaces<Grid> places = places(order, elements(List.of(heads), List.of(cells)));

        assertThat(destinations(places).subList(0, 7))
                .containsExactly(heads[0], cells[0], cells[1], cells[2], cells[3], heads[1], cells[4]);
        assertThat(places.count()).isEqualTo(8);
        // Three more cells in the second line, and a line of a head and four cells.
        int withoutPlace = 3 * 24 + 12 + 4 * 24;
        int tailBehindThem = 8;
        assertThat(places.unplacedBytes(8)).isEqualTo(withoutPlace + tailBehindThem);
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
    void theRuntimeProvidesChunksUpToItsLimit() {
        ResultOrder<Integer, Result> many = ResultOrder.array(
                args -> 5, Result::pairs, ResultOrder.payload(0, "pairs[].a", (args, i) -> ALLOCATION / 5, Pair::a));
        assertThat(places(many, Destinations.none()).affordable()).isEqualTo(5);
        assertThat(places(many, elements(List.of(buffer(1), buffer(10)))).affordable())
                .isEqualTo(2);
        assertThat(places(many, elements(List.of(buffer(1), buffer(10)))).unplacedBytes(0))
                .isEqualTo(ALLOCATION);
    }

    @Test
    void theMemoryForLargerItemsIsLimited() {
        ResultPlaces<Result> two = places(someOf(10, 70_000), all(10, 70_000));
        assertThat(sizes(two))
                .as("a reply that lacks an item is not longer than what is allocated for one")
                .containsExactly(ALLOCATION, 70_000);
        assertThat(two.affordable()).isEqualTo(2);

        ResultPlaces<Result> byReply = places(someOf(10, 1000, 9000), all(10, 1000, 9000));
        assertThat(sizes(byReply)).as("the others fit a Reply chunk").containsExactly(9000, 9000, 9000);
        assertThat(byReply.affordable()).isEqualTo(1);
        assertThat(byReply.mostUnplaced()).isEqualTo(ALLOCATION);

        ResultPlaces<Result> claimed =
                places(someOf(10, Integer.MAX_VALUE), elements(List.of(buffer(10), Destination.allocate())));
        assertThat(sizes(claimed)).as("a size that no destination has").containsExactly(ALLOCATION, ALLOCATION);
        assertThat(claimed.affordable())
                .as("beside the memory of an item without a destination there is some for larger ones")
                .isEqualTo(2);

        ResultOrder<Integer, Result> arms = ResultOrder.fixedArray(
                3,
                Result::pairs,
                ResultOrder.choice(
                        ResultOrder.payload(0, "pairs[].a", (args, i) -> 10, Pair::a),
                        ResultOrder.payload(1, "pairs[].b", (args, i) -> 9000, Pair::b)));
        assertThat(places(arms, elements(List.of(buffers(10, 10, 10)), List.of(buffers(9000, 9000, 9000))))
                        .affordable())
                .as("the destinations of the other arm have room")
                .isEqualTo(3);
    }

    @Test
    void memoryForLargerItemsIsGivenUpFromTheFirstPlaceOn() {
        ResultPlaces<Result> direct = places(someOf(10, 10, 70_000), all(10, 10, 70_000));
        assertThat(sizes(direct)).as("one item may be absent").containsExactly(10, ALLOCATION, 70_000);
        assertThat(direct.affordable()).isEqualTo(3);

        assertThat(sizes(places(someOf(10, 10, 10, 69_990, 70_000), all(10, 10, 10, 69_990, 70_000))))
                .containsExactly(10, 10, ALLOCATION, 69_990, 70_000);
        assertThat(sizes(places(someOf(10, 70_000, 70_000, 70_000), all(10, 70_000, 70_000, 70_000))))
                .containsExactly(ALLOCATION, 70_000, 70_000, 70_000);
    }

    @Test
    void smallItemsWithoutDestinationsTakeNoChunkFromALargeOneThatHasOne() {
        ResultOrder<Integer, Result> data =
                ResultOrder.payload(2, "tail", (args, i) -> ResultOrder.UNBOUNDED, Result::tail);
        ResultPlaces<Result> behindTwo =
                places(ResultOrder.sequence(maybe(0), maybe(1), data), Destinations.of(null, null, buffer(70_000)));

        assertThat(behindTwo.affordable()).isEqualTo(3);
        assertThat(sizes(behindTwo)).containsExactly(100, ALLOCATION, 70_000);
        assertThat(behindTwo.get(1).room()).isEqualTo(100);

        ResultPlaces<Result> behindOne =
                places(ResultOrder.sequence(maybe(0), data), Destinations.of(null, null, buffer(70_000)));
        assertThat(behindOne.affordable()).isEqualTo(2);
        assertThat(sizes(behindOne)).containsExactly(ALLOCATION, 70_000);
    }

    /** A Reply chunk could not hold it. */
    @Test
    void aLargeResultHasAChunkThoughThoseBeforeItWithoutDestinationsNeedMuchMemory() {
        ResultOrder<Integer, Result> data =
                ResultOrder.payload(2, "tail", (args, i) -> ResultOrder.UNBOUNDED, Result::tail);
        ResultOrder<Integer, Result> order = ResultOrder.sequence(maybe(0, 8_000), maybe(1, 8_000), data);

        assertThat(places(order, Destinations.of(null, null, buffer(20_000))).affordable())
                .isEqualTo(3);
        assertThat(places(order, Destinations.of(null, null, buffer(1_000))).affordable())
                .isEqualTo(1);
    }

    private static ResultOrder<Integer, Result> maybe(int item) {
        return maybe(item, 100);
    }

    private static ResultOrder<Integer, Result> maybe(int item, int size) {
        return ResultOrder.option(Result::head, ResultOrder.payload(item, "head", (args, i) -> size, head -> head));
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
}
