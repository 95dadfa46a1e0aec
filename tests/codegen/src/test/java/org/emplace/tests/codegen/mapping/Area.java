// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Memory of one kind from which a test takes buffers. Between the buffers are guard bytes, which nobody may change.
 */
final class Area {
    private static final int CAPACITY = 4 << 20;
    private static final int SHORTEST_GUARD = 16;

    /** What all memory holds before a call. */
    private static final ByteBuffer UNTOUCHED = untouched();

    private final ByteBuffer memory;
    private final List<Slice> taken = new ArrayList<>();
    private int next = SHORTEST_GUARD;

    /** A buffer, or part of one. */
    record Slice(Area area, int offset, int length) {
        ByteBuffer bytes() {
            return area.memory.slice(offset, length);
        }

        /** A part of it. */
        Slice part(int from, int bytes) {
            return new Slice(area, offset + from, bytes);
        }

        /** Whether the bytes from an offset on are as they were before. */
        boolean isUntouchedFrom(int from) {
            return area.isUntouched(offset + from, length - from);
        }
    }

    /** @param direct or on the heap */
    Area(boolean direct) {
        memory = direct ? ByteBuffer.allocateDirect(CAPACITY) : ByteBuffer.allocate(CAPACITY);
        memory.put(0, UNTOUCHED, 0, CAPACITY);
    }

    private static ByteBuffer untouched() {
        ByteBuffer bytes = ByteBuffer.allocate(CAPACITY);
        for (int i = 0; i < CAPACITY; i++) {
            bytes.put(i, (byte) (0xa5 ^ i * 7));
        }
        return bytes.asReadOnlyBuffer();
    }

    ByteBuffer memory() {
        return memory;
    }

    /** Takes a buffer; none if there is not enough memory left. */
    Optional<Slice> take(int length) {
        if (next + length + SHORTEST_GUARD > CAPACITY) {
            return Optional.empty();
        }
        Slice slice = new Slice(this, next, length);
        taken.add(slice);
        next += length + SHORTEST_GUARD + length % 7;
        return Optional.of(slice);
    }

    /** Where a guard byte has been changed; -1 if all are as before. */
    int firstChangedGuard() {
        int from = 0;
        for (Slice slice : taken) {
            int changed = firstChange(from, slice.offset() - from);
            if (changed >= 0) {
                return changed;
            }
            from = slice.offset() + slice.length();
        }
        return firstChange(from, Math.min(CAPACITY - from, 4096));
    }

    /** Takes all buffers back. */
    void reset() {
        memory.put(0, UNTOUCHED, 0, next);
        taken.clear();
        next = SHORTEST_GUARD;
    }

    private boolean isUntouched(int from, int length) {
        return firstChange(from, length) < 0;
    }

    private int firstChange(int from, int length) {
        int different = memory.slice(from, length).mismatch(UNTOUCHED.slice(from, length));
        return different < 0 ? -1 : from + different;
    }
}
