// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

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
    private final List<ResultPlace> places;
    private final int unplacedBytes;
    private final int allocation;
    private final int affordable;

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

    private static List<ResultPlace> placesOf(
            ResultItem<?, ?> only, long size, Destinations destinations, ResultLimits limits) {
        if (size == ResultOrder.ABSENT) {
            return List.of();
        }
        Destination named = only.isPayload() ? destinations.memory(only.item, 0) : null;
        int room = named == null ? limits.allocated(size) : limits.room(size, named.capacity());
        ResultPlace place = new ResultPlace();
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
    public ResultPlace get(int n) {
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
    private static int provide(List<ResultPlace> places, int allocation) {
        int chunks = fitting(places, 0, places.size(), ResultPlace::unnamed, allocation);
        int staged = fitting(places, 0, chunks, ResultPlace::staging, allocation);
        if (fitting(places, staged, chunks, ResultPlace::named, allocation) == chunks) {
            // A Reply chunk can hold what is in the others, whatever is absent.
            return staged;
        }
        // The last ones first: a reply that lacks few results needs the staging memory just before the large ones.
        long left = allocation;
        for (int i = chunks - 1; i >= 0; i--) {
            ResultPlace place = places.get(i);
            if (place.staging() <= left) {
                left -= place.staging();
            } else {
                place.giveUpStaging();
            }
        }
        return chunks;
    }

    /** Returns the place, from {@code first} on, with which the sum exceeds a limit; {@code end} if there is none. */
    private static int fitting(
            List<ResultPlace> places, int first, int end, ToIntFunction<ResultPlace> bytes, int limit) {
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
}
