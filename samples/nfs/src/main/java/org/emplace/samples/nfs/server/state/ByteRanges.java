// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of a file that an owner has locked. They do not overlap, and adjacent ones of a kind are one. Not safe for use by several threads.
 */
final class ByteRanges {
    private static final long LAST = -1;

    /** By the first byte. */
    private final NavigableMap<Long, Locked> pieces = new TreeMap<>(Long::compareUnsigned);
    /** Those for writing, so that a lock for reading need not look at the others, of which a client chooses the number. */
    private final NavigableMap<Long, Locked> writes = new TreeMap<>(Long::compareUnsigned);

    /** A range that is locked. */
    record Locked(ByteRange range, boolean isWrite) {}

    /** How many ranges there are. */
    int size() {
        return pieces.size();
    }

    /** Locks a range, whatever of it was locked before. */
    void lock(ByteRange range, boolean isWrite) {
        unlock(range);
        long first = range.first();
        long last = range.last();
        if (first != 0) {
            Map.@Nullable Entry<Long, Locked> before = pieces.lowerEntry(first);
            if (before != null
                    && before.getValue().isWrite() == isWrite
                    && before.getValue().range().last() == first - 1) {
                first = before.getKey();
            }
        }
        if (last != LAST) {
            @Nullable Locked after = pieces.get(last + 1);
            if (after != null && after.isWrite() == isWrite) {
                remove(last + 1);
                last = after.range().last();
            }
        }
        put(first, last, isWrite);
    }

    /** Unlocks what is locked of a range. */
    void unlock(ByteRange range) {
        for (Locked piece = firstOverlap(range); piece != null; piece = firstOverlap(range)) {
            ByteRange old = piece.range();
            remove(old.first());
            if (Long.compareUnsigned(old.first(), range.first()) < 0) {
                put(old.first(), range.first() - 1, piece.isWrite());
            }
            if (Long.compareUnsigned(old.last(), range.last()) > 0) {
                put(range.last() + 1, old.last(), piece.isWrite());
            }
        }
    }

    /** Whether unlocking a range leaves both ends of a lock. */
    boolean isSplitBy(ByteRange range) {
        @Nullable Locked piece = firstOverlap(range);
        return piece != null
                && Long.compareUnsigned(piece.range().first(), range.first()) < 0
                && Long.compareUnsigned(piece.range().last(), range.last()) > 0;
    }

    /** The first range that excludes a lock of another owner. */
    Optional<Locked> conflict(ByteRange range, boolean isWrite) {
        return Optional.ofNullable(firstOverlap(isWrite ? pieces : writes, range));
    }

    private void put(long first, long last, boolean isWrite) {
        Locked piece = new Locked(new ByteRange(first, last), isWrite);
        pieces.put(first, piece);
        if (isWrite) {
            writes.put(first, piece);
        }
    }

    private void remove(long first) {
        pieces.remove(first);
        writes.remove(first);
    }

    private @Nullable Locked firstOverlap(ByteRange range) {
        return firstOverlap(pieces, range);
    }

    private static @Nullable Locked firstOverlap(NavigableMap<Long, Locked> of, ByteRange range) {
        Map.@Nullable Entry<Long, Locked> before = of.floorEntry(range.first());
        if (before != null && Long.compareUnsigned(before.getValue().range().last(), range.first()) >= 0) {
            return before.getValue();
        }
        Map.@Nullable Entry<Long, Locked> after = of.ceilingEntry(range.first());
        return after != null && Long.compareUnsigned(after.getKey(), range.last()) <= 0 ? after.getValue() : null;
    }
}
