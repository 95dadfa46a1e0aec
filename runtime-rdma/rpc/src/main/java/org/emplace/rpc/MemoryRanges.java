// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds destinations that share memory. */
final class MemoryRanges {

    /** The largest unit of which Java tells a direct buffer's alignment: the low 30 bits of its address. */
    private static final int UNIT = 1 << 30;

    private MemoryRanges() {}

    /**
     * A piece of the destination for an element of an item.
     *
     * @param number distinguishes the pieces; one whose start wraps is in the list twice
     * @param start orders pieces such that those that share memory overlap, but others may overlap too
     */
    private record Range(int number, int item, int element, ByteBuffer buffer, long start) {
        static Range of(int number, int item, int element, ByteBuffer buffer) {
            long start = buffer.isDirect()
                    ? buffer.alignmentOffset(0, UNIT)
                    : ((long) System.identityHashCode(buffer.array()) << Integer.SIZE) + UNIT + buffer.arrayOffset();
            return new Range(number, item, element, buffer, start);
        }

        long end() {
            return start + buffer.capacity();
        }

        /** Where the piece is if its start is before the address zero of the low bits. */
        Range wrapped() {
            return new Range(number, item, element, buffer, start - UNIT);
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
                    throw new IllegalArgumentException("the destinations of " + order.name(one.item(), one.element())
                            + " and " + order.name(other.item(), other.element()) + " share memory");
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
        if (range.buffer().isDirect() && range.end() > UNIT) {
            ranges.add(range.wrapped());
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
