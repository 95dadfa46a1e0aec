// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.ToIntFunction;
import org.emplace.rpc.Destinations.MemoryRanges;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;
import org.jspecify.annotations.Nullable;

/**
 * Where the DDP-eligible results of one call go. Transports use this object; applications do not.
 *
 * <p>Immutable.
 *
 * @param <R> the results of the procedure
 */
public final class ResultPlaces<R> {
    private static final ResultPlaces<?> NONE =
            new ResultPlaces<>(ResultOrder.none(), true, Destinations.none(), List.of(), 0, 0);

    private final ResultOrder<?, R> order;
    private final boolean isFixed;
    private final Destinations destinations;
    private final List<Place> places;
    private final int unplacedBytes;
    private final int allocation;
    private final int affordable;

    private ResultPlaces(
            ResultOrder<?, R> order,
            boolean isFixed,
            Destinations destinations,
            List<Place> places,
            int unplacedBytes,
            int allocation) {
        this.order = order;
        this.isFixed = isFixed;
        this.destinations = destinations;
        this.places = places;
        this.unplacedBytes = unplacedBytes;
        this.allocation = allocation;
        this.affordable = provide(places, allocation);
    }

    /** Takes the payloads of decoded results. */
    @FunctionalInterface
    public interface Visitor {

        /** Takes one payload of an element of an item. */
        void payload(int item, int element, Payload payload);
    }

    /**
     * Finds the places for the results of a call.
     *
     * @throws IllegalArgumentException if there are more or fewer destinations than elements, one is a read-only buffer,
     *     or two of them share memory
     */
    public static <A, R> ResultPlaces<R> of(
            ProcedureBinding<A, R> binding, A arguments, Destinations destinations, Limits limits) {
        ResultOrder<A, R> order = binding.results();
        requireSuitable(binding, arguments, destinations);
        if (order.isEmpty()) {
            return none();
        }
        ResultItem<A, ?> only = order.only();
        if (only != null) {
            // Most results have one item.
            List<Place> places = placesOf(only, only.size(arguments), destinations, limits);
            return new ResultPlaces<>(order, order.isFixed(), destinations, places, 0, limits.allocation());
        }
        ResultLayout layout = new ResultLayout(destinations, limits);
        order.layOut(arguments, 0, 0, layout);
        return new ResultPlaces<>(
                order,
                order.isFixed() && !layout.isCut(),
                destinations,
                layout.places(),
                layout.unplacedBytes(),
                limits.allocation());
    }

    /** No places, for results without items. */
    @SuppressWarnings("unchecked") // No object of the type R is visited.
    private static <R> ResultPlaces<R> none() {
        return (ResultPlaces<R>) NONE;
    }

    private static List<Place> placesOf(ResultItem<?, ?> only, long size, Destinations destinations, Limits limits) {
        if (size == ResultOrder.ABSENT) {
            return List.of();
        }
        Destination named = only.isPayload() ? destinations.memory(only.item, 0) : null;
        int room = named == null ? limits.allocated(size) : limits.room(size, named.capacity());
        Place place = new Place();
        place.mayHold(only, 0, named, room, limits.inReply(size, room));
        return List.of(place);
    }

    /**
     * Checks the destinations of a call.
     *
     * @throws IllegalArgumentException as {@link #of}
     */
    public static <A, R> void requireSuitable(ProcedureBinding<A, R> binding, A arguments, Destinations destinations) {
        ResultOrder<A, R> order = binding.results();
        destinations.requireWritable(order);
        if (!destinations.isNone()) {
            MemoryRanges.requireDisjoint(order, destinations);
            order.requireSuitable(arguments, destinations, 1, true);
        }
    }

    /** The number of places: of the items of results in which all are present, as far as that is known. */
    public int count() {
        return places.size();
    }

    /** The place of the n-th item of a reply. */
    public Place get(int n) {
        return places.get(n);
    }

    /** The number of first places that have Write chunks, as far as memory limits it. */
    public int affordable() {
        return affordable;
    }

    /**
     * Decides which places have chunks and staging memory, by the rule for memory in docs/decisions/019-placement.md.
     * Returns the number of first places that have chunks.
     */
    private static int provide(List<Place> places, int allocation) {
        int chunks = fitting(places, 0, places.size(), Place::unnamed, allocation);
        if (fitting(places, chunks, places.size(), Place::named, allocation) < places.size()) {
            // The results behind these do not fit a Reply chunk.
            long named = places.stream().mapToLong(Place::named).sum();
            chunks = fitting(places, 0, places.size(), Place::unnamed, Math.max(allocation, named));
        }
        int staged = fitting(places, 0, chunks, Place::staging, allocation);
        if (fitting(places, staged, chunks, Place::named, allocation) == chunks) {
            // A Reply chunk can hold what is in the others, whatever is absent.
            return staged;
        }
        // The last ones first: a reply that lacks few results needs the staging memory just before the large ones.
        long left = allocation;
        for (int i = chunks - 1; i >= 0; i--) {
            Place place = places.get(i);
            if (place.staging() <= left) {
                left -= place.staging();
            } else {
                place.giveUpStaging();
            }
        }
        return chunks;
    }

    /** Returns the place, from {@code first} on, with which the sum exceeds a limit; {@code end} if there is none. */
    private static int fitting(List<Place> places, int first, int end, ToIntFunction<Place> bytes, long limit) {
        long left = limit;
        for (int i = first; i < end; i++) {
            left -= bytes.applyAsInt(places.get(i));
            if (left < 0) {
                return i;
            }
        }
        return end;
    }

    /**
     * The most bytes, with padding, of the items that can have none of the first {@code chunks} places. Of elements whose
     * number is unknown, it is not more than the runtime allocates.
     */
    public long unplacedBytes(int chunks) {
        long bytes = unplacedBytes;
        for (int i = 0; i < places.size(); i++) {
            if (places.get(i).canBeUnplaced(chunks, i)) {
                bytes += EncodedMessage.roundUp(places.get(i).largest());
            }
        }
        return bytes;
    }

    /** The most bytes that the runtime allocates for a Reply chunk, beyond the part of the results that is not eligible. */
    public long mostUnplaced() {
        return EncodedMessage.roundUp(allocation);
    }

    /** Whether the n-th item of every reply belongs to the n-th place. If not, {@link #visit} tells where it belongs. */
    public boolean isFixed() {
        return isFixed;
    }

    /** Visits the payloads of decoded results. */
    public void visit(R results, Visitor visitor) {
        order.visit(results, 0, new ResultVisit(visitor));
    }

    /** The destination that the caller named for an element of an item; null if the runtime allocates memory for it. */
    public @Nullable Destination named(int item, int element) {
        return item < 0 ? null : destinations.memory(item, element);
    }

    /**
     * The one of the first places that is the memory of an element of an item; negative if there is none.
     *
     * @param first how many first places to search
     * @param expected where to begin the search, which goes on toward the first place
     */
    public int indexOf(int item, int element, int first, int expected) {
        int last = Math.min(first, places.size()) - 1;
        int begin = Math.min(Math.max(expected, 0), last);
        for (int i = begin; i >= 0; i--) {
            if (places.get(i).isOf(item, element)) {
                return i;
            }
        }
        for (int i = last; i > begin; i--) {
            if (places.get(i).isOf(item, element)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public String toString() {
        return "ResultPlaces[" + places.size() + "]";
    }

    /** A visit of the payloads of one result. */
    static final class ResultVisit {
        private final ResultPlaces.Visitor visitor;

        /** The number of elements that have been visited of each array of variable length. One within another is visited several times. */
        private final IdentityHashMap<ResultOrder<?, ?>, Integer> visited = new IdentityHashMap<>(2);

        ResultVisit(ResultPlaces.Visitor visitor) {
            this.visitor = visitor;
        }

        ResultPlaces.Visitor visitor() {
            return visitor;
        }

        /** Counts elements of an array. Returns the number of those visited before. */
        int count(ResultOrder<?, ?> array, int elements) {
            int before = visited.getOrDefault(array, 0);
            visited.put(array, before + elements);
            return before;
        }
    }

    /**
     * The memory that a call provides for the n-th eligible item of its reply. It is the memory of the element that is the
     * n-th one if all are present. If earlier ones are absent, a later element's item lands here, which may be larger.
     */
    public static final class Place {
        private int item = ResultItem.ENCODED;
        private int element = ResultLayout.NO_ELEMENT;
        private @Nullable Destination named;
        /** The room for the element's own item. */
        private int own;

        private int size;
        private int largest;
        private boolean canBeUnplaced;

        Place() {}

        /**
         * Takes an item into account that is here if all are present. Of several, a payload with a destination has the memory;
         * of several such, or of payloads without one, that with the most room.
         *
         * @param bytes the room for it
         * @param inReply the most bytes of the item in a reply
         */
        void mayHold(
                ResultItem<?, ?> other, int otherElement, @Nullable Destination destination, int bytes, int inReply) {
            boolean isFirst = element == ResultLayout.NO_ELEMENT;
            boolean isLarger = (named == null) == (destination == null) ? bytes > own : named == null;
            if (isFirst || (other.isPayload() && (item == ResultItem.ENCODED || isLarger))) {
                item = other.item;
                element = otherElement;
                named = destination;
                own = bytes;
            }
            largest = Math.max(largest, inReply);
            mayReceive(bytes);
        }

        /** Takes an item into account that can land here. */
        void mayReceive(int bytes) {
            size = Math.max(size, bytes);
        }

        /** Called if the items that are here if all are present can also be at any later position, and so in no place. */
        void mayBeUnplaced() {
            canBeUnplaced = true;
        }

        /** The bytes of this element's memory if the caller has named it; otherwise 0. */
        int named() {
            return isAllocated() ? 0 : room();
        }

        /** The bytes of this element's memory if the runtime allocates it; otherwise 0. */
        int unnamed() {
            return isAllocated() ? room() : 0;
        }

        /** The bytes that the runtime allocates behind the element's memory, for larger items. */
        int staging() {
            return size - room();
        }

        /** Gives up the memory for larger items. */
        void giveUpStaging() {
            size = room();
        }

        /** Whether an item that is here if all are present can be in none of the first {@code places}. */
        boolean canBeUnplaced(int places, int index) {
            return canBeUnplaced || index >= places;
        }

        /** The destination of the element whose memory this is. */
        public Destination destination() {
            return named == null ? Destination.allocate() : named;
        }

        /** The bytes of this element's own memory that results can use: all of a destination, so that they need little other. */
        public int room() {
            if (named != null) {
                return (int) Math.min(named.capacity(), size);
            }
            return element == ResultLayout.NO_ELEMENT ? size : own;
        }

        /** The most bytes of an item that can land here; not less than {@link #room}. */
        public int size() {
            return size;
        }

        /** The most bytes in a reply of the items that are here if all are present, whatever the room. */
        int largest() {
            return element == ResultLayout.NO_ELEMENT ? size : largest;
        }

        /** Whether this is the memory of an element of an item. */
        boolean isOf(int otherItem, int otherElement) {
            return item == otherItem && element == otherElement;
        }

        /** Whether the runtime allocates the memory, and leaves it to the results. */
        public boolean isAllocated() {
            return named == null;
        }
    }

    /**
     * What limits the memory for the results of one call.
     *
     * @param chunks the most Write chunks; {@link Integer#MAX_VALUE} without a limit
     * @param allocation the most bytes that the runtime allocates for one item
     * @param unbounded the bytes that it allocates for an item that the protocol does not limit
     */
    public record Limits(int chunks, int allocation, int unbounded) {

        /** More than the header of a call has room for. */
        private static final int MOST_CHUNKS = 1024;

        /** Whether the number of chunks for an array is known without destinations. */
        boolean isLimited(int possible) {
            return Math.min(possible, chunks) < Integer.MAX_VALUE;
        }

        /** How many items can have chunks at all. */
        int places() {
            return Math.min(chunks, MOST_CHUNKS);
        }

        /** The most elements without destinations to provide chunks for, in all arrays together. */
        int elements() {
            return MOST_CHUNKS;
        }

        /** How many chunks the binding states for results of any number; 0 if it states none. */
        int stated() {
            return chunks == Integer.MAX_VALUE ? 0 : places();
        }

        /** The most bytes of an item with a destination of this capacity. */
        int room(long size, long capacity) {
            long most = Math.min(capacity, Integer.MAX_VALUE);
            return (int) (size == ResultOrder.UNBOUNDED ? most : Math.min(size, most));
        }

        /** The bytes that the runtime allocates for an item without a destination. */
        int allocated(long size) {
            return (int) Math.min(allocation, size == ResultOrder.UNBOUNDED ? unbounded : size);
        }

        /** The most bytes of an item in a reply, for which its destination may be too small. */
        int inReply(long size, int room) {
            return size == ResultOrder.UNBOUNDED ? room : Math.max(room, (int) Math.min(allocation, size));
        }
    }
}
