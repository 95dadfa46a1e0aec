// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.rpc.ResultPlaces.Limits;
import org.emplace.rpc.TestResults.Line;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.Test;

/** Elements of arrays within arrays: which of them a destination is for, and how many places they have. */
final class NestedResultsTest {
    /** An element of an array or list, which may have cells. */
    private record Row(Optional<List<Payload>> cells) {
        List<Payload> all() {
            return cells.orElseThrow();
        }
    }

    private sealed interface Answer {
        record Some(List<Payload> cells) implements Answer {}

        record None() implements Answer {}
    }

    private static final ResultOrder<Integer, Payload> CELL =
            ResultOrder.payload(0, "rows[].cells[]", (args, i) -> i == 0 ? 10 : 1000, each -> each);

    /** Rows of two cells each. */
    private static final ResultOrder<Integer, Row> ROW = ResultOrder.fixedArray(2, Row::all, CELL);

    @Test
    void anElementThatLacksAFixedArrayHasDestinationsForItAllTheSame() {
        ResultOrder<Integer, List<Row>> order = ResultOrder.arrayBySize(
                args -> 3,
                rows -> rows,
                ResultOrder.option(Row::cells, ResultOrder.fixedArray(2, cells -> cells, CELL)));

        assertThat(elements(order, List.of(none(), row(), row()))).containsExactly(2, 3, 4, 5);
        assertThat(elements(order, List.of(row(), none(), row()))).containsExactly(0, 1, 4, 5);
    }

    @Test
    void anElementWithAnotherArmHasDestinationsForTheFixedArrayOfThisOne() {
        ResultOrder<Integer, List<Answer>> order = ResultOrder.array(
                args -> 3,
                answers -> answers,
                ResultOrder.choice(
                        ResultOrder.arm(Answer.Some.class, ResultOrder.fixedArray(2, Answer.Some::cells, CELL))));

        assertThat(elements(order, List.of(new Answer.None(), new Answer.Some(cells()))))
                .containsExactly(2, 3);
    }

    @Test
    void allLevelsOfFixedArraysAreCountedInAnAbsentElement() {
        ResultOrder<Integer, List<Optional<List<Row>>>> order = ResultOrder.array(
                args -> 3,
                rows -> rows,
                ResultOrder.option(rows -> rows, ResultOrder.fixedArray(3, rows -> rows, ROW)));

        assertThat(elements(order, List.of(Optional.empty(), Optional.of(List.of(row(), row(), row())))))
                .containsExactly(6, 7, 8, 9, 10, 11);
    }

    @Test
    void arraysOfUnknownLengthInAnAbsentElementHaveNoElements() {
        ResultOrder<Integer, List<Row>> order = ResultOrder.array(
                args -> 3,
                rows -> rows,
                ResultOrder.option(Row::cells, ResultOrder.array(args -> 2, cells -> cells, CELL)));

        assertThat(elements(order, List.of(none(), row()))).containsExactly(0, 1);
    }

    @Test
    void arraysBehindALinkCountInTheOrderOfTheElements() {
        ResultOrder<Integer, List<Row>> order =
                ResultOrder.linkedBySize(args -> 3, rows -> rows, ResultOrder.none(), ROW);
        Destination[] into = TestResults.buffers(10, 10, 1000, 1000, 1000, 1000);

        ResultPlaces<List<Row>> places = TestResults.places(order, TestResults.elements(List.of(into)));

        assertThat(TestResults.destinations(places))
                .as("the last element's come first")
                .containsExactly(into[4], into[5], into[2], into[3], into[0], into[1]);
        assertThat(places.get(0).room()).isEqualTo(1000);
        assertThat(places.get(5).room()).isEqualTo(10);
    }

    @Test
    void aListBehindALinkOfAnotherListCountsInTheOrderOfBoth() {
        ResultOrder<Integer, List<List<Row>>> order = ResultOrder.linkedBySize(
                args -> 2,
                lists -> lists,
                ResultOrder.none(),
                ResultOrder.fixedArray(
                        2,
                        rows -> rows,
                        ResultOrder.linked(args -> 1, (Row row) -> List.of(row), ResultOrder.none(), ROW)));
        Destination[] into = TestResults.buffers(1, 1, 2, 2, 3, 3, 4, 4);

        assertThat(TestResults.destinations(TestResults.places(order, TestResults.elements(List.of(into)))))
                .containsExactly(into[4], into[5], into[6], into[7], into[0], into[1], into[2], into[3]);
    }

    @Test
    void arraysOfArraysHaveNoPlaceForEachCombination() {
        ResultOrder<Integer, List<Payload>> cells = ResultOrder.array(args -> 1000, each -> each, CELL);
        ResultOrder<Integer, List<List<Payload>>> rows = ResultOrder.array(args -> 1000, each -> each, cells);
        ResultOrder<Integer, List<List<List<Payload>>>> pages = ResultOrder.array(args -> 1000, each -> each, rows);
        ResultOrder<Integer, List<List<List<Payload>>>> fixed = ResultOrder.fixedArray(
                1000,
                each -> each,
                ResultOrder.fixedArray(1000, each -> each, ResultOrder.fixedArray(1000, each -> each, CELL)));

        assertThat(TestResults.places(pages, Destinations.none()).count()).isBetween(1000, 1024);
        assertThat(TestResults.places(fixed, Destinations.none()).count()).isBetween(1000, 1024);
        assertThat(TestResults.places(fixed, Destinations.none()).unplacedBytes(1024))
                .as("as many as the runtime allocates")
                .isEqualTo(TestResults.ALLOCATION);
    }

    @Test
    void oneDestinationInAFixedArrayLaysOutFewOthers() {
        ResultOrder<Integer, List<Line>> order = ResultOrder.array(
                args -> 1000,
                lines -> lines,
                TestResults.line(ResultOrder.fixedArray(64, Line::cells, TestResults.cell(20))));
        Destination[] heads = TestResults.buffers(new int[1000]);
        Destination cell = TestResults.buffer(20);

        ResultPlaces<List<Line>> places =
                TestResults.places(order, TestResults.elements(List.of(heads), List.of(cell)));

        assertThat(places.count()).isEqualTo(1000 + 1 + 1024);
        assertThat(TestResults.destinations(places)).startsWith(heads[0], cell).contains(heads);
        assertThat(places.isFixed()).isFalse();
    }

    @Test
    void elementsWithoutItemsTakeNoneOfTheStatedChunks() {
        ResultOrder<Integer, List<Row>> order = ResultOrder.operations(
                args -> 3,
                rows -> rows,
                ResultOrder.choice(
                        ResultOrder.payload(
                                0,
                                "rows[].a",
                                (args, i) -> i < 2 ? ResultOrder.ABSENT : 10,
                                row -> row.all().get(0)),
                        ResultOrder.none()));

        assertThat(limited(order, 1, Destinations.none()).count()).isEqualTo(1);
    }

    @Test
    void aListWithoutABoundHasTheStatedChunksBesideItsDestinations() {
        ResultOrder<Integer, List<Row>> order = ResultOrder.array(
                args -> Integer.MAX_VALUE,
                rows -> rows,
                ResultOrder.payload(
                        0, "rows[].a", (args, i) -> 100, row -> row.all().get(0)));
        Destination[] into = TestResults.buffers(100, 100);

        ResultPlaces<List<Row>> places = limited(order, 5, TestResults.elements(List.of(into)));
        assertThat(places.count()).isEqualTo(5);
        assertThat(TestResults.destinations(places)).startsWith(into);
        assertThat(places.get(4).isAllocated()).isTrue();
        assertThat(places.get(4).size()).isEqualTo(100);
        assertThat(places.unplacedBytes(3))
                .as("room for the last two in the Reply chunk if the call has no chunks for them")
                .isEqualTo(TestResults.UNBOUNDED + 2 * 100);
        assertThat(limited(order, 1, TestResults.elements(List.of(into))).count())
                .as("named destinations have places in any case")
                .isEqualTo(2);
    }

    /** Rows of a head and at most two cells. */
    private static final ResultOrder<Integer, List<Line>> LINES = ResultOrder.array(
            args -> 2,
            lines -> lines,
            TestResults.line(ResultOrder.array(args -> 2, Line::cells, TestResults.cell(8000))));

    @Test
    void aCellHasRoomWhereverShorterRowsLeaveIt() {
        Destination[] heads = TestResults.buffers(10, 11);
        Destination[] cells = TestResults.buffers(10, 5000, 10, 10);

        ResultPlaces<List<Line>> places =
                TestResults.places(LINES, TestResults.elements(List.of(heads), List.of(cells)));

        assertThat(TestResults.destinations(places))
                .containsExactly(heads[0], cells[0], cells[1], heads[1], cells[2], cells[3]);
        assertThat(TestResults.sizes(places))
                .as("the second cell may be the first or second one of either row")
                .containsExactly(10, 5000, 5000, 5000, 5000, 5000);
        assertThat(places.unplacedBytes(6)).as("each has a place").isZero();
    }

    @Test
    void aCellWithoutADestinationHasRoomToo() {
        ResultPlaces<List<Line>> places = TestResults.places(
                LINES,
                TestResults.elements(TestResults.none(), List.of(TestResults.buffer(10), Destination.allocate())));

        assertThat(TestResults.sizes(places))
                .as("room for cells of 8000 and 8001 bytes")
                .containsExactly(10, 8001, 8001);
    }

    @Test
    void destinationsOfInnerArraysAloneLayOutAsManyRowsAsTheyNeed() {
        Destination[] cells = TestResults.buffers(1, 2, 3, 4);

        ResultPlaces<List<Line>> places =
                TestResults.places(LINES, TestResults.elements(TestResults.none(), List.of(cells)));

        assertThat(places.count()).isEqualTo(6);
        assertThat(TestResults.destinations(places)).contains(cells);
    }

    @Test
    void innerArraysWithoutABoundHaveTheStatedChunksBesideTheirDestinations() {
        ResultOrder<Integer, List<Row>> order = ResultOrder.array(
                args -> 2,
                rows -> rows,
                ResultOrder.option(Row::cells, ResultOrder.array(args -> Integer.MAX_VALUE, cells -> cells, CELL)));
        Destination[] into = TestResults.buffers(10, 10);

        ResultPlaces<List<Row>> places = limited(order, 5, TestResults.elements(List.of(into)));

        assertThat(places.count()).isEqualTo(5);
        assertThat(TestResults.destinations(places)).startsWith(into);
        assertThat(places.get(4).isAllocated()).isTrue();
        assertThat(places.get(4).room()).isEqualTo(1000);
        assertThat(places.get(4).size()).isEqualTo(1000);
    }

    @Test
    void furtherChunksComeAfterAllDestinations() {
        ResultOrder<Integer, List<Row>> order = ResultOrder.sequence(
                ResultOrder.array(
                        args -> Integer.MAX_VALUE,
                        rows -> rows,
                        ResultOrder.payload(
                                0,
                                "rows[].a",
                                (args, i) -> 100,
                                row -> row.all().get(0))),
                ResultOrder.payload(
                        1, "tail", (args, i) -> 7, rows -> rows.get(0).all().get(0)));
        Destination[] rows = TestResults.buffers(100, 100);
        Destination tail = TestResults.buffer(7);

        assertThat(TestResults.destinations(limited(order, 5, TestResults.elements(List.of(rows), List.of(tail)))))
                .as("so that all are in place if the list has no further elements")
                .startsWith(rows[0], rows[1], tail)
                .hasSize(5);
    }

    @Test
    void whatTheArgumentsRuleOutHasNoPlaceInAnArrayThatMayBeAbsent() {
        ResultOrder<Integer, List<Row>> order = ResultOrder.arrayBySize(
                args -> 2,
                rows -> rows,
                ResultOrder.option(
                        Row::cells,
                        ResultOrder.fixedArray(
                                2,
                                cells -> cells,
                                ResultOrder.payload(
                                        0,
                                        "rows[].cells[]",
                                        (args, i) -> i == 0 ? ResultOrder.ABSENT : 1000,
                                        each -> each))));
        Destination[] into = TestResults.buffers(1, 2, 1000, 1000);

        assertThat(TestResults.destinations(TestResults.places(order, TestResults.elements(List.of(into)))))
                .containsExactly(into[2], into[3]);
    }

    @Test
    void elementsBehindALinkAllCountTowardTheReplyChunk() {
        ResultOrder<Integer, List<Row>> order = ResultOrder.linked(
                args -> 4,
                rows -> rows,
                ResultOrder.none(),
                ResultOrder.sequence(
                        ResultOrder.payload(
                                0, "rows[].a", (args, i) -> 20, row -> row.all().get(0)),
                        ResultOrder.payload(
                                1, "rows[].b", (args, i) -> 32, row -> row.all().get(1))));

        assertThat(limited(order, 3, Destinations.none()).unplacedBytes(0)).isEqualTo(4 * (20 + 32));
    }

    @Test
    void elementsWithItemsBehindTheirLinkOnlyHaveTheStatedChunks() {
        ResultOrder<Integer, List<Row>> order = ResultOrder.linked(
                args -> Integer.MAX_VALUE,
                rows -> rows,
                ResultOrder.none(),
                ResultOrder.payload(
                        0, "rows[].a", (args, i) -> 100, row -> row.all().get(0)));

        ResultPlaces<List<Row>> places = limited(order, 5, Destinations.none());

        assertThat(places.count()).isEqualTo(5);
        assertThat(places.indexOf(0, 4, 5, 0))
                .as("the last element comes first")
                .isZero();
        assertThat(places.indexOf(0, 0, 5, 0)).isEqualTo(4);
        assertThat(places.unplacedBytes(5)).isEqualTo(5 * 100 + TestResults.UNBOUNDED);
    }

    /** The places of a call for which the binding states the number of Write chunks. */
    private static <T> ResultPlaces<T> limited(ResultOrder<Integer, T> order, int chunks, Destinations destinations) {
        return ResultPlaces.of(
                TestResults.binding(order),
                7,
                destinations,
                new Limits(chunks, TestResults.ALLOCATION, TestResults.UNBOUNDED));
    }

    /** The elements that the payloads of a result belong to. */
    private static <T> List<Integer> elements(ResultOrder<Integer, T> order, T results) {
        List<Integer> elements = new ArrayList<>();
        TestResults.places(order, Destinations.none())
                .visit(results, (item, element, payload) -> elements.add(element));
        return elements;
    }

    private static Row row() {
        return new Row(Optional.of(cells()));
    }

    private static Row none() {
        return new Row(Optional.empty());
    }

    private static List<Payload> cells() {
        return List.of(Payload.of(ByteBuffer.allocate(1)), Payload.of(ByteBuffer.allocate(1)));
    }
}
