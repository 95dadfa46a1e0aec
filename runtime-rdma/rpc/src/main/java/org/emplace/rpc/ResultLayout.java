// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.emplace.rpc.ResultOrder.Counts;
import org.emplace.rpc.ResultPlaces.Limits;
import org.emplace.rpc.ResultPlaces.Place;
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
    private final Limits limits;
    private List<Place> places = List.of();

    /** Items that can be at several positions. */
    private List<Movable> movable = List.of();

    /** By item; null where it has not been needed. */
    private @Nullable Choice[] choices = {};

    private Around around = Around.NOTHING;
    private boolean isCut;
    private boolean isEndless;
    private int unnamed;
    private int least;
    private int position;
    private int most;
    private boolean isOptional;
    private int unplacedDepth;
    private int unplacedBytes;
    private boolean unplacedHasItems;

    /** An item of {@code size} bytes that can be at any position from {@code first} to {@code last}. */
    private record Movable(int first, int last, int size) {}

    /**
     * The destinations of an item, if the reply decides which element is which.
     *
     * @param named how many are named before the first element for which none is
     * @param capacity of the largest one; negative if none is named
     */
    private record Choice(int named, long capacity) {
        static Choice of(int item, Destinations destinations) {
            int named = 0;
            long capacity = -1;
            for (int element = 0; element < destinations.count(item); element++) {
                Destination memory = destinations.memory(item, element);
                if (memory != null) {
                    named += named == element ? 1 : 0;
                    capacity = Math.max(capacity, memory.capacity());
                }
            }
            return new Choice(named, capacity);
        }
    }

    /**
     * The arrays around the next items.
     *
     * @param isNothing whether there are none
     * @param possible the most elements that the innermost one can have in all elements of the others
     * @param isGuess whether it depends on the reply which of these elements an element is
     */
    record Around(boolean isNothing, int possible, boolean isGuess) {
        private static final Around NOTHING = new Around(true, 1, false);

        /**
         * Returns these arrays with another one in each element.
         *
         * @param each the most elements of that array
         * @param isExact whether it has as many
         */
        Around with(int each, boolean isExact) {
            int all = (int) Math.min(Counts.MANY, (long) possible * each);
            return new Around(false, all, isGuess || (!isNothing && !isExact));
        }
    }

    ResultLayout(Destinations destinations, Limits limits) {
        this.destinations = destinations;
        this.limits = limits;
    }

    Destinations destinations() {
        return destinations;
    }

    Limits limits() {
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

    Around around() {
        return around;
    }

    /** Sets the arrays around the next items. */
    void enter(Around arrays) {
        around = arrays;
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

    /** Begins elements that have no places. They can be present when earlier items are absent. */
    int beginUnplaced() {
        unplacedDepth++;
        int before = unplacedBytes;
        unplacedBytes = 0;
        return before;
    }

    /**
     * Ends elements that have no places.
     *
     * @param before what {@link #beginUnplaced} returned
     * @param times how many times there can be what has been laid out; {@link Counts#MANY} without a limit
     */
    void endUnplaced(int before, int times) {
        boolean isLimited = times != Counts.MANY;
        unplacedDepth--;
        if (unplacedHasItems) {
            most = Counts.MANY;
            isEndless |= !isLimited;
        }
        if (unplacedDepth == 0) {
            unplacedHasItems = false;
        }
        long each = unplacedBytes;
        long all = isLimited ? each * times : each == 0 ? 0 : Math.max(each, limits.unbounded());
        unplacedBytes = limited(before + all);
    }

    /** Whether the next items are of elements that have no places. */
    boolean isUnplaced() {
        return unplacedDepth > 0;
    }

    boolean isOptional() {
        return isOptional;
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
        if (largest == ResultOrder.ABSENT && isOptional) {
            return;
        }
        long size = largest == ResultOrder.ABSENT ? 0 : largest;
        Destination named = item.isPayload() && element != NO_ELEMENT ? destinations.memory(item.item, element) : null;
        int room = named == null ? limits.allocated(size) : limits.room(size, named.capacity());
        int landing = around.isGuess() && item.isPayload() ? roomOfAny(item.item, size) : room;
        int inReply = limits.inReply(size, landing);
        if (isUnplaced()) {
            unplacedHasItems = true;
            unplacedBytes = limited((long) unplacedBytes + EncodedMessage.roundUp(inReply));
            addMovable(Counts.MANY, landing);
            return;
        }
        if (position == places.size()) {
            add(new Place());
        }
        Place place = places.get(position);
        place.mayHold(item, element, named, room, inReply);
        if (most > position) {
            place.mayBeUnplaced();
        }
        if (least == most) {
            place.mayReceive(limited(landing));
        } else {
            addMovable(most, landing);
        }
        least++;
        position++;
        most = most == Counts.MANY ? most : most + 1;
    }

    /** The most bytes of an item for which the reply decides which of its destinations it has, if any. */
    private int roomOfAny(int item, long size) {
        if (item >= choices.length) {
            choices = Arrays.copyOf(choices, item + 1);
        }
        Choice choice = choices[item];
        if (choice == null) {
            choice = Choice.of(item, destinations);
            choices[item] = choice;
        }
        int room = choice.capacity() < 0 ? 0 : limits.room(size, choice.capacity());
        return choice.named() < around.possible() ? Math.max(room, limits.allocated(size)) : room;
    }

    private void add(Place place) {
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

    /** Adds an item that may land in another one's memory: only in a reply that is no longer than is allocated for it. */
    private void addMovable(int last, int landing) {
        int size = limited(landing);
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

    /**
     * Returns the places in order. Called once, when all items have been added. If there can be any number of items, there
     * are as many places as the binding states, the last ones for whatever lands there.
     */
    List<Place> places() {
        while (isEndless && places.size() < limits.stated()) {
            add(new Place());
        }
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

    /** The most bytes of the elements that have no places. */
    int unplacedBytes() {
        return unplacedBytes;
    }

    private int limited(long bytes) {
        return (int) Math.min(bytes, limits.allocation());
    }
}
