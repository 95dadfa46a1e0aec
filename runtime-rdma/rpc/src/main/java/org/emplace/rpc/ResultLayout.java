// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.emplace.xdr.EncodedMessage;
import org.jspecify.annotations.Nullable;

/**
 * Lays out the items of one call's results as if all were present, with the arms of a union at the same positions.
 * {@link ResultOrder} adds them in stream order, and keeps count of where the next one can be: a reply from which
 * earlier items are missing has it earlier.
 */
final class ResultLayout {
    /** The index of an element beyond those for which the call has chunks. */
    static final int NO_ELEMENT = -1;

    private final Destinations destinations;
    private final ResultLimits limits;
    private List<ResultPlace> places = List.of();

    /** Items that can be at several positions. */
    private List<Movable> movable = List.of();

    /** Null until there is an array. */
    private @Nullable ElementCounts elements;

    private boolean isCounting;
    private boolean isCut;
    private int unnamed;
    private int depth;
    private int left = 1;
    private int least;
    private int position;
    private int most;
    private boolean isOptional;
    private int restDepth;
    private int restBytes;
    private boolean restHasItems;

    /** An item of {@code size} bytes that can be at any position from {@code first} to {@code last}. */
    private record Movable(int first, int last, int size) {}

    ResultLayout(Destinations destinations, ResultLimits limits) {
        this.destinations = destinations;
        this.limits = limits;
    }

    Destinations destinations() {
        return destinations;
    }

    ResultLimits limits() {
        return limits;
    }

    /** The fewest items that a reply can have before the next one. */
    int least() {
        return least;
    }

    /** The number of items before the next one if all are present. */
    int position() {
        return position;
    }

    /** The most items that a reply can have before the next one. */
    int most() {
        return most;
    }

    void goTo(int newLeast, int newPosition, int newMost) {
        least = newLeast;
        position = newPosition;
        most = newMost;
    }

    /** The elements of arrays that have been laid out. */
    ElementCounts elements() {
        if (elements == null) {
            elements = new ElementCounts();
        }
        return elements;
    }

    /** Sets the elements of arrays that come before the next item. */
    void elements(ElementCounts before) {
        elements = before;
    }

    /**
     * The number of further elements without destinations that can be laid out one by one. An array in each element of
     * another one could have any number of them.
     */
    int furtherElements() {
        return Math.max(0, limits.elements() - unnamed);
    }

    /** Counts an element without destinations that is laid out. */
    void countUnnamed() {
        unnamed++;
    }

    /** The number of further items that can have chunks. */
    int furtherPlaces() {
        return Math.max(0, limits.places() - position);
    }

    /** Marks that elements of a fixed array have no places, so that the numbers of later items are not those of places. */
    void cut() {
        isCut = true;
    }

    boolean isCut() {
        return isCut;
    }

    /** Sets whether only the elements of arrays are counted, and items have no places. */
    void counting(boolean isOnly) {
        isCounting = isOnly;
    }

    boolean isCounting() {
        return isCounting;
    }

    /** Whether the next item or array is not in an array. */
    boolean isOutermost() {
        return depth == 0;
    }

    /** Begins the elements of an array. Returns what {@link #leave} needs. */
    int enter() {
        depth++;
        return left;
    }

    /** Sets the number of elements of the array that are not yet laid out. */
    void left(int elementsOfArray) {
        left = elementsOfArray;
    }

    /** The number of elements of the innermost array that are not yet laid out. */
    int left() {
        return left;
    }

    void leave(int leftBefore) {
        depth--;
        left = leftBefore;
    }

    /** Begins elements for which the call has no chunks. They can be present when earlier items are absent. */
    int beginRest() {
        restDepth++;
        depth++;
        int before = restBytes;
        restBytes = 0;
        return before;
    }

    /**
     * Ends elements for which the call has no chunks.
     *
     * @param before what {@link #beginRest} returned
     * @param times how many times there can be what has been laid out; {@link Integer#MAX_VALUE} without a limit
     */
    void endRest(int before, int times) {
        restDepth--;
        depth--;
        if (restHasItems) {
            most = Integer.MAX_VALUE;
        }
        if (restDepth == 0) {
            restHasItems = false;
        }
        long all = times == Integer.MAX_VALUE ? Math.max(restBytes, limits.unbounded()) : (long) restBytes * times;
        restBytes = limited(before + all);
    }

    /** Whether the next items are of elements for which the call has no chunks. */
    boolean isRest() {
        return restDepth > 0;
    }

    /**
     * Sets whether an element that is present can lack the next items. Returns what was set before, to be set again after
     * these items.
     */
    boolean optional(boolean mayBeAbsent) {
        boolean before = isOptional;
        isOptional = mayBeAbsent;
        return before;
    }

    /** Adds the next item in stream order. An item that its element always has is empty if the arguments rule out data. */
    void item(ResultItem<?, ?> item, int element, long largest) {
        if (isCounting) {
            return;
        }
        if (isOutermost()) {
            item.requireSuitable(destinations);
        }
        if (largest == ResultOrder.ABSENT && isOptional) {
            return;
        }
        long size = largest == ResultOrder.ABSENT ? 0 : largest;
        Destination named = item.isPayload() && element != NO_ELEMENT ? destinations.memory(item.item, element) : null;
        int room = limits.room(size, named);
        if (isRest()) {
            restHasItems = true;
            restBytes = limited(restBytes + EncodedMessage.roundUp(limits.inReply(size, room)));
            addMovable(Integer.MAX_VALUE, room);
            return;
        }
        if (position == places.size()) {
            add(new ResultPlace());
        }
        ResultPlace place = places.get(position);
        place.mayHold(item, element, named, room, limits.inReply(size, room));
        if (most > position) {
            place.mayBeLeft();
        }
        if (least == most) {
            place.mayReceive(room);
        } else {
            addMovable(most, room);
        }
        least++;
        position++;
        most = most == Integer.MAX_VALUE ? most : most + 1;
    }

    private void add(ResultPlace place) {
        if (places.isEmpty()) {
            // Most results have one item.
            places = List.of(place);
            return;
        }
        if (places.size() == 1) {
            places = new ArrayList<>(places);
        }
        places.add(place);
    }

    private void addMovable(int last, int size) {
        if (movable.isEmpty()) {
            movable = new ArrayList<>();
        }
        int before = movable.size() - 1;
        if (before >= 0
                && movable.get(before).first() == least
                && movable.get(before).last() == last) {
            movable.set(
                    before,
                    new Movable(least, last, Math.max(size, movable.get(before).size())));
        } else {
            movable.add(new Movable(least, last, size));
        }
    }

    /** Returns the places in order. Called once, when all items have been added. */
    List<ResultPlace> places() {
        if (!movable.isEmpty()) {
            movable.sort(Comparator.comparingInt(Movable::last).reversed());
            PriorityQueue<Movable> largestFirst =
                    new PriorityQueue<>(Comparator.comparingInt(Movable::size).reversed());
            int next = 0;
            for (int i = places.size() - 1; i >= 0; i--) {
                while (next < movable.size() && movable.get(next).last() >= i) {
                    largestFirst.add(movable.get(next++));
                }
                while (!largestFirst.isEmpty() && largestFirst.peek().first() > i) {
                    largestFirst.remove(); // nor is it at any place before this one
                }
                if (!largestFirst.isEmpty()) {
                    places.get(i).mayReceive(largestFirst.peek().size());
                }
            }
        }
        return places;
    }

    /** The most bytes of the elements for which the call has no chunks. */
    int restBytes() {
        return restBytes;
    }

    private int limited(long bytes) {
        return (int) Math.min(bytes, limits.allocation());
    }
}
