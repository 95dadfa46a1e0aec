// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory for the DDP-eligible results of a call. Each destination is named by the element that it is for: the
 * index of the item among the payloads of the procedure's {@link ResultOrder}, and the index of the element for an item
 * in an array or list. Where no destination is named, the runtime allocates memory, as for {@link
 * Destination#allocate}.
 *
 * <p>Immutable. Generated clients make these objects; only callers of {@link RpcConnection#call} make their own.
 */
public final class Destinations {
    private static final @Nullable Destination[] NOTHING = {};
    private static final Destinations NONE = new Destinations(null, NOTHING, null);

    /** The destination of the first item if there is no other item. */
    private final @Nullable Destination only;

    /** The destinations of the items, one item after the other; an element is null where none is named. */
    private final @Nullable Destination[] all;

    /** Where the destinations of each item end in {@link #all}; null if each item has one. */
    private final int @Nullable [] ends;

    private Destinations(@Nullable Destination only, @Nullable Destination[] all, int @Nullable [] ends) {
        this.only = only;
        this.all = all;
        this.ends = ends;
    }

    /** Names no destination. */
    public static Destinations none() {
        return NONE;
    }

    /**
     * Names the destination of the only item, for results that do not have it in an array or list.
     *
     * @param destination null if the runtime allocates memory
     */
    public static Destinations of(@Nullable Destination destination) {
        return destination == null ? NONE : new Destinations(destination, NOTHING, null);
    }

    /**
     * Names one destination for each item, for results that have no item in an array or list.
     *
     * @param byItem the destinations in the order of the items; null where the runtime allocates memory. The array must
     *     not change from now on
     */
    public static Destinations of(@Nullable Destination... byItem) {
        return new Destinations(null, byItem, null);
    }

    /**
     * Names the destinations of the elements of each item.
     *
     * @param byItem for each item, in their order, its destinations by element: the n-th is for the n-th element of the
     *     innermost array or list that contains the item, whether or not that element has the item. Null, or an empty
     *     list, if none is named; an element is null where the runtime allocates memory
     */
    public static Destinations ofElements(List<? extends @Nullable List<? extends @Nullable Destination>> byItem) {
        List<@Nullable Destination> all = new ArrayList<>();
        int[] ends = new int[byItem.size()];
        for (int i = 0; i < ends.length; i++) {
            List<? extends @Nullable Destination> elements = byItem.get(i);
            if (elements != null) {
                all.addAll(elements);
            }
            ends[i] = all.size();
        }
        return new Destinations(null, all.toArray(new @Nullable Destination[0]), ends);
    }

    /**
     * Names the destinations of the elements of each item, as {@link #ofElements} does.
     *
     * @param byItem for each item, in their order, its destinations by element; {@link #only} for one that is in no array
     *     or list
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // The array is only read.
    public static Destinations ofItems(@Nullable List<? extends @Nullable Destination>... byItem) {
        return ofElements(Arrays.asList(byItem));
    }

    /** The destination of an item that is in no array or list, or null. */
    public static List<@Nullable Destination> only(@Nullable Destination destination) {
        return Collections.singletonList(destination);
    }

    /** The destination named for an element of an item; null if none is. */
    public @Nullable Destination get(int item, int element) {
        if (only != null) {
            return item == 0 && element == 0 ? only : null;
        }
        return element < count(item) ? all[begin(item) + element] : null;
    }

    /** The memory that the caller named for an element of an item; null if the runtime allocates it. */
    @Nullable
    Destination memory(int item, int element) {
        Destination named = get(item, element);
        return named instanceof Destination.Allocated ? null : named;
    }

    /** The number of elements of an item for which this object has a destination or null. */
    public int count(int item) {
        return end(item) - begin(item);
    }

    /** Whether no destination is named. */
    boolean isNone() {
        return only == null && all.length == 0;
    }

    /** The number of items for which this object has destinations. */
    int items() {
        return only != null ? 1 : ends == null ? all.length : ends.length;
    }

    /**
     * Checks the destinations themselves.
     *
     * @throws IllegalArgumentException if one is a read-only buffer, or is for an item that the results do not have
     */
    void requireWritable(ResultOrder<?, ?> order) {
        if (items() > order.payloads()) {
            throw new IllegalArgumentException(
                    "destinations for " + items() + " items, but the results have " + order.payloads());
        }
        for (int item = 0; item < items(); item++) {
            for (int element = 0; element < count(item); element++) {
                if (isReadOnly(get(item, element))) {
                    throw new IllegalArgumentException(
                            "the destination of " + order.name(item, element) + " is a read-only buffer");
                }
            }
        }
    }

    private static boolean isReadOnly(@Nullable Destination destination) {
        if (destination instanceof Destination.InPieces several) {
            return several.pieces().stream().anyMatch(Destinations::isReadOnly);
        }
        return destination instanceof Destination.InBuffer in && in.buffer().isReadOnly();
    }

    /** Whether this is at most one buffer, so that no two share memory. */
    boolean isOneBuffer() {
        int total = only != null ? 1 : all.length;
        return total == 0 || (total == 1 && !((only != null ? only : all[0]) instanceof Destination.InPieces));
    }

    private int begin(int item) {
        return item == 0 ? 0 : end(item - 1);
    }

    private int end(int item) {
        if (only != null) {
            return 1;
        }
        if (ends == null) {
            return Math.min(item + 1, all.length);
        }
        return item < ends.length ? ends[item] : all.length;
    }

    /** Finds destinations that share memory. */
    static final class MemoryRanges {

        /** The largest unit of which Java tells a direct buffer's alignment: the low 30 bits of its address. */
        private static final int UNIT = 1 << 30;

        private MemoryRanges() {}

        /**
         * A piece of the destination for an element of an item.
         *
         * @param number distinguishes the pieces; one whose addresses pass zero in the low bits is in the list several times
         * @param start orders pieces such that those that share memory overlap, but others may overlap too
         */
        private record Range(int number, int item, int element, ByteBuffer buffer, long start) {
            static Range of(int number, int item, int element, ByteBuffer buffer) {
                long start = buffer.isDirect()
                        ? buffer.alignmentOffset(0, UNIT)
                        : ((long) System.identityHashCode(buffer.array()) << Integer.SIZE)
                                + UNIT
                                + buffer.arrayOffset();
                return new Range(number, item, element, buffer, start);
            }

            long end() {
                return start + buffer.capacity();
            }

            /** Where the piece is if its start is this far before the address zero of the low bits. */
            Range before(long units) {
                return new Range(number, item, element, buffer, start - units * UNIT);
            }

            /** Whether the first byte of a piece that does not start before this one is one of this one. */
            @SuppressWarnings("ByteBufferBackingArray") // Only which array it is matters; the start has its offset.
            boolean contains(Range later) {
                if (buffer.isDirect() != later.buffer.isDirect()) {
                    return false;
                }
                return buffer.isDirect()
                        ? isSame(buffer, (int) (later.start - start), later.buffer)
                        : buffer.array() == later.buffer.array();
            }
        }

        /** @throws IllegalArgumentException if two destinations, or two pieces of one, share memory */
        static void requireDisjoint(ResultOrder<?, ?> order, Destinations destinations) {
            if (destinations.isOneBuffer()) {
                return;
            }
            List<Range> ranges = new ArrayList<>();
            for (int item = 0; item < destinations.items(); item++) {
                for (int element = 0; element < destinations.count(item); element++) {
                    add(item, element, destinations.get(item, element), ranges);
                }
            }
            ranges.sort(Comparator.comparingLong(Range::start));
            for (int i = 0; i < ranges.size(); i++) {
                Range one = ranges.get(i);
                for (int j = i + 1; j < ranges.size() && ranges.get(j).start() < one.end(); j++) {
                    Range other = ranges.get(j);
                    if (one.number() != other.number() && one.contains(other)) {
                        throw new IllegalArgumentException(
                                "the destinations of " + order.name(one.item(), one.element()) + " and "
                                        + order.name(other.item(), other.element()) + " share memory");
                    }
                }
            }
        }

        private static void add(int item, int element, @Nullable Destination destination, List<Range> ranges) {
            if (destination instanceof Destination.InPieces several) {
                several.pieces().forEach(piece -> add(item, element, piece, ranges));
            } else if (destination instanceof Destination.InBuffer in && in.capacity() > 0) {
                add(Range.of(ranges.size(), item, element, in.buffer()), ranges);
            } else if (destination instanceof Destination.InRegistered in && in.length() > 0) {
                ByteBuffer range = in.buffer().buffer().slice(in.offset(), in.length());
                add(Range.of(ranges.size(), item, element, range), ranges);
            }
        }

        private static void add(Range range, List<Range> ranges) {
            ranges.add(range);
            for (long units = 1; range.buffer().isDirect() && range.end() > units * UNIT; units++) {
                ranges.add(range.before(units));
            }
        }

        /**
         * Whether a byte of a direct buffer is the first one of another. Their addresses agree in 30 bits; only a write shows
         * whether they agree in all. The memory belongs to the call, so it may change.
         */
        private static boolean isSame(ByteBuffer one, int index, ByteBuffer other) {
            byte before = one.get(index);
            byte changed = (byte) ~other.get(0);
            one.put(index, changed);
            boolean isSame = other.get(0) == changed;
            one.put(index, before);
            return isSame;
        }
    }
}
