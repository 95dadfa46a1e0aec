// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.emplace.compiler.capture.TransportHeader.Segment;

/** A segment of a chunk, and what was moved from or to it. */
final class MemoryRegion {
    /** No message is longer, whatever a segment says. */
    private static final long MOST_KEPT = 64 << 20;

    private final PendingCall call;
    private final Segment segment;
    private final boolean isForReading;
    private final boolean isKept;
    /** Moved ranges, their ends by beginnings; they do not overlap. */
    private final TreeMap<Long, Long> ranges = new TreeMap<>();

    private byte[] content = new byte[0];
    private int operations;

    /**
     * @param isForReading whether it belongs to a Read chunk
     * @param isKept whether its bytes are part of a message to decode
     */
    MemoryRegion(PendingCall call, Segment segment, boolean isForReading, boolean isKept) {
        this.call = call;
        this.segment = segment;
        this.isForReading = isForReading;
        this.isKept = isKept;
    }

    /** The call that exposed it. */
    PendingCall call() {
        return call;
    }

    Segment segment() {
        return segment;
    }

    boolean isForReading() {
        return isForReading;
    }

    /** Whether an access begins in it. */
    boolean has(int handle, long offset) {
        long at = offset - segment.offset();
        return segment.handle() == handle && at >= 0 && at < segment.length();
    }

    /** How far an access goes beyond its end. */
    long excess(long offset, long length) {
        return Math.max(0, offset - segment.offset() + length - segment.length());
    }

    /** Counts an operation that moves bytes. */
    void count() {
        operations++;
    }

    int operations() {
        return operations;
    }

    /**
     * Adds a moved range.
     *
     * @param data its bytes, or the first of them
     */
    void moved(long offset, int length, ByteBuffer data) {
        long from = offset - segment.offset();
        long to = Math.min(from + length, segment.length());
        if (to <= from) {
            return;
        }
        mark(from, to);
        if (isKept && to <= MOST_KEPT) {
            int needed = (int) to;
            if (content.length < needed) {
                content =
                        Arrays.copyOf(content, Math.max(needed, (int) Math.min(segment.length(), 2L * content.length)));
            }
            data.slice().get(content, (int) from, (int) Math.min(to - from, data.remaining()));
        }
    }

    private void mark(long from, long to) {
        long start = from;
        long end = to;
        Map.Entry<Long, Long> before = ranges.floorEntry(end);
        while (before != null && before.getValue() >= start) {
            start = Math.min(start, before.getKey());
            end = Math.max(end, before.getValue());
            ranges.remove(before.getKey());
            before = ranges.floorEntry(end);
        }
        ranges.put(start, end);
    }

    /** How many bytes were moved, each counted once. */
    long moved() {
        return ranges.entrySet().stream()
                .mapToLong(range -> range.getValue() - range.getKey())
                .sum();
    }

    /** Whether all its first bytes were moved. */
    boolean hasFirst(long length) {
        Map.Entry<Long, Long> first = ranges.firstEntry();
        return length == 0 || (first != null && first.getKey() == 0 && first.getValue() >= length);
    }

    /** Discards the bytes, which are no longer needed. */
    void forget() {
        content = new byte[0];
    }

    /** The first bytes; those not moved are zero. */
    ByteBuffer content(long length) {
        return ByteBuffer.wrap(Arrays.copyOf(content, (int) Math.min(length, MOST_KEPT)));
    }
}
