// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.List;
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
    private final List<ResultPlace> places;
    private final int unplacedBytes;
    private final int allocation;

    private ResultPlaces(
            ResultOrder<?, R> order,
            boolean isFixed,
            Destinations destinations,
            List<ResultPlace> places,
            int unplacedBytes,
            int allocation) {
        this.order = order;
        this.isFixed = isFixed;
        this.destinations = destinations;
        this.places = places;
        this.unplacedBytes = unplacedBytes;
        this.allocation = allocation;
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
            ProcedureBinding<A, R> binding, A arguments, Destinations destinations, ResultLimits limits) {
        ResultOrder<A, R> order = binding.results();
        requireSuitable(binding, arguments, destinations);
        if (order.isEmpty()) {
            return none();
        }
        ResultItem<A, ?> only = order.only();
        if (only != null) {
            // Most results have one item.
            List<ResultPlace> places = placesOf(only, only.size(arguments), destinations, limits);
            return new ResultPlaces<>(order, order.isFixed(), destinations, places, 0, limits.allocation());
        }
        ResultLayout layout = new ResultLayout(destinations, limits);
        order.layOut(arguments, 0, 0, layout);
        ResultPlaces<R> places = new ResultPlaces<>(
                order,
                order.isFixed() && !layout.isCut(),
                destinations,
                layout.places(),
                layout.unplacedBytes(),
                limits.allocation());
        places.giveUpStaging();
        return places;
    }

    /** No places, for results without items. */
    @SuppressWarnings("unchecked") // No object of the type R is visited.
    private static <R> ResultPlaces<R> none() {
        return (ResultPlaces<R>) NONE;
    }

    private static List<ResultPlace> placesOf(
            ResultItem<?, ?> only, long size, Destinations destinations, ResultLimits limits) {
        if (size == ResultOrder.ABSENT) {
            return List.of();
        }
        Destination named = only.isPayload() ? destinations.memory(only.item, 0) : null;
        int room = named == null ? limits.allocated(size) : limits.room(size, named.capacity());
        ResultPlace place = new ResultPlace();
        place.mayHold(only, 0, named, room, limits.inReply(size, room));
        place.mayReceive(room);
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
    public ResultPlace get(int n) {
        return places.get(n);
    }

    /**
     * The number of first places whose memory the runtime may allocate for one call: in all as many bytes as for one item,
     * or as the caller's destinations have.
     */
    public int affordable() {
        long left = budget();
        for (int i = 0; i < places.size(); i++) {
            left -= allocated(places.get(i));
            if (left < 0) {
                return i;
            }
        }
        return places.size();
    }

    private long budget() {
        return Math.max(allocation, named(0));
    }

    /** The bytes of the destinations that the caller has named, without the first ones. */
    private long named(int first) {
        long bytes = 0;
        for (int i = first; i < places.size(); i++) {
            bytes += places.get(i).isAllocated() ? 0 : places.get(i).room();
        }
        return bytes;
    }

    /** The bytes that the runtime allocates for a place. */
    private static int allocated(ResultPlace place) {
        return place.isAllocated() ? place.size() : place.size() - place.room();
    }

    /**
     * Reduces places to their own elements' items where the memory for larger ones is not affordable. It is better not to
     * provide a Write chunk, so that items go by Reply chunk. But destinations that hold more than a Reply chunk can only
     * be filled by Write chunks; then the call succeeds only if no larger item lands there.
     */
    private void giveUpStaging() {
        int chunks = affordable();
        if (chunks == places.size() || named(chunks) <= allocation) {
            return;
        }
        long left = budget();
        for (ResultPlace place : places) {
            left -= allocated(place);
            if (left < 0 && !place.isAllocated()) {
                left += allocated(place);
                place.giveUpStaging();
            }
        }
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
}
