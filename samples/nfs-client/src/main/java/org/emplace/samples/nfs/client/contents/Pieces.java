// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.contents;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** The remaining bytes of several buffers as one sequence. */
public final class Pieces {
    private final List<ByteBuffer> buffers;

    private Pieces(List<ByteBuffer> buffers) {
        this.buffers = buffers;
    }

    /** What remains in the buffers, one after the other. */
    public static Pieces of(ByteBuffer... buffers) {
        return new Pieces(List.of(buffers));
    }

    /** What remains in some of the buffers. */
    public static Pieces of(ByteBuffer[] buffers, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, buffers.length);
        return new Pieces(Arrays.asList(buffers).subList(offset, offset + length));
    }

    /** Bytes in all pieces. */
    public long remaining() {
        return buffers.stream().mapToLong(ByteBuffer::remaining).sum();
    }

    /** Whether no piece is on the heap, so that each can be registered. */
    public boolean areDirect() {
        return buffers.stream().allMatch(buffer -> buffer.isDirect() || !buffer.hasRemaining());
    }

    /** Whether a piece cannot be read into. */
    public boolean isReadOnly() {
        return buffers.stream().anyMatch(ByteBuffer::isReadOnly);
    }

    /** The first buffer with bytes, or room, left. There must be one. */
    public ByteBuffer first() {
        return buffers.stream().filter(ByteBuffer::hasRemaining).findFirst().orElseThrow();
    }

    /** Views of a range of the sequence. Leaves the buffers' positions as they are. */
    ByteBuffer[] slices(long from, int length) {
        List<ByteBuffer> slices = new ArrayList<>(buffers.size());
        long skip = from;
        int left = length;
        for (ByteBuffer buffer : buffers) {
            int skipped = (int) Math.min(skip, buffer.remaining());
            int taken = Math.min(left, buffer.remaining() - skipped);
            if (taken > 0) {
                slices.add(buffer.slice(buffer.position() + skipped, taken));
            }
            skip -= skipped;
            left -= taken;
        }
        return slices.toArray(ByteBuffer[]::new);
    }

    /** The buffers' positions. */
    int[] positions() {
        return buffers.stream().mapToInt(ByteBuffer::position).toArray();
    }

    /** Sets the buffers' positions. */
    void reset(int[] positions) {
        for (int i = 0; i < positions.length; i++) {
            buffers.get(i).position(positions[i]);
        }
    }

    /** Advances the buffers' positions over the first bytes of the sequence. */
    public void advance(long bytes) {
        long left = bytes;
        for (ByteBuffer buffer : buffers) {
            int moved = (int) Math.min(left, buffer.remaining());
            buffer.position(buffer.position() + moved);
            left -= moved;
        }
    }
}
