// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.emplace.compiler.capture.RdmaMessage.Segment;

/** A segment of a chunk, and the data moved from or to it. */
final class ExposedSegment {
    /** No message is longer, whatever length a segment has. */
    static final long LONGEST_MESSAGE = 64 << 20;

    private final int xid;
    private final Segment segment;
    private final boolean isForReading;
    private final boolean isKept;
    /** Moved ranges: the end of each by its beginning. They do not overlap. */
    private final TreeMap<Long, Long> ranges = new TreeMap<>();

    private final List<Piece> pieces = new ArrayList<>();
    private int operations;
    private boolean isBreached;

    /** Moved bytes. They are kept in pieces, because a segment may be far longer than the data moved. */
    private record Piece(int at, ByteBuffer bytes) {}

    /**
     * @param xid of the call that exposed it
     * @param isForReading whether it belongs to a Read chunk
     * @param isKept whether its bytes are part of a message to decode
     */
    ExposedSegment(int xid, Segment segment, boolean isForReading, boolean isKept) {
        this.xid = xid;
        this.segment = segment;
        this.isForReading = isForReading;
        this.isKept = isKept;
    }

    int xid() {
        return xid;
    }

    Segment segment() {
        return segment;
    }

    boolean isForReading() {
        return isForReading;
    }

    boolean overlaps(ExposedSegment other) {
        return segment.has(other.segment) || other.segment.has(segment);
    }

    /** How many bytes of a range that begins in it are beyond its end; negative if the range ends before it. */
    long excess(Segment range) {
        return range.offset() - segment.offset() + range.length() - segment.length();
    }

    /** Records that the responder did something wrong with it. @return whether that is the first time: others are not reported */
    boolean breach() {
        boolean isFirst = !isBreached;
        isBreached = true;
        return isFirst;
    }

    void countOperation() {
        operations++;
    }

    int operations() {
        return operations;
    }

    /** Records moved data: the bytes of the range, or the first of them. */
    void moved(Segment range, ByteBuffer data) {
        long from = range.offset() - segment.offset();
        long to = Math.min(from + range.length(), segment.length());
        if (to <= from) {
            return;
        }
        mark(from, to);
        if (isKept && to <= LONGEST_MESSAGE) {
            byte[] bytes = new byte[(int) Math.min(to - from, data.remaining())];
            data.slice().get(bytes);
            pieces.add(new Piece((int) from, ByteBuffer.wrap(bytes)));
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

    /** Whether all of its first {@code length} bytes were moved. */
    boolean hasFirst(long length) {
        return length == 0 || ranges.getOrDefault(0L, 0L) >= length;
    }

    void forgetContent() {
        pieces.clear();
    }

    /** Copies its first bytes, as many as the buffer has room for. Bytes that were not captured are left out. */
    void copyTo(ByteBuffer message) {
        for (Piece piece : pieces) {
            int known = Math.min(piece.bytes().remaining(), message.capacity() - piece.at());
            if (known > 0) {
                message.put(piece.at(), piece.bytes(), 0, known);
            }
        }
    }
}
