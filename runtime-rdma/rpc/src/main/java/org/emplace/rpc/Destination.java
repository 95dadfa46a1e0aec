// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The memory for one DDP-eligible result of a call. A Write chunk places the bytes directly in it. If they arrive
 * inline or over TCP, the runtime copies them into it, and {@link CallObserver} counts the copy. If the result is
 * longer than its destination, the call fails: with {@link RpcException.Kind#CHUNK_ERROR} if the responder could not
 * write it, with {@link RpcException.Kind#BAD_REPLY} if it arrived inline, over TCP or in the place of a larger result.
 * The memory belongs to the call until the call completes; if the call fails, its content is undefined.
 */
public sealed interface Destination {

    /** The capacity in bytes; {@link Integer#MAX_VALUE} for {@link #allocate}. */
    long capacity();

    /**
     * Places the result in a buffer, between its position and limit, which do not change. A direct buffer is registered
     * for the call; a heap buffer is filled by a copy. A call rejects a read-only buffer, and says for which element it
     * is.
     */
    static Destination into(ByteBuffer buffer) {
        return new InBuffer(buffer);
    }

    /**
     * Places the result in registered memory, so that the call need not register any: it only grants access.
     *
     * @param offset start of the range in bytes
     * @param length capacity of the range in bytes
     * @throws IndexOutOfBoundsException if the range is not within the buffer
     */
    static Destination into(RegisteredBuffer buffer, int offset, int length) {
        return new InRegistered(buffer, offset, length);
    }

    /** Places the result in memory that the runtime allocates for it. The garbage collector frees the memory. */
    static Destination allocate() {
        return new Allocated();
    }

    /** Places the result in several buffers, one after the other, each used as by {@link #into(ByteBuffer)}. */
    static Destination into(ByteBuffer... pieces) {
        return into(Stream.of(pieces).map(Destination::into).toList());
    }

    /**
     * Places the result in several destinations, such as ranges of registered memory, one after the other. The payload
     * of the result is the part that was filled. Each destination is a segment of the Write chunk. If the header has no
     * room for all segments, the result is placed in memory of the runtime and copied.
     *
     * @throws IllegalArgumentException if one is {@link #allocate}, which has no limit
     */
    static Destination into(List<? extends Destination> pieces) {
        List<Destination> flat = new ArrayList<>(pieces.size());
        for (Destination piece : pieces) {
            if (piece instanceof Allocated) {
                throw new IllegalArgumentException(
                        "an allocated destination has no limit, so it cannot be one of several; use a buffer");
            }
            flat.addAll(piece instanceof InPieces several ? several.pieces() : List.of(piece));
        }
        flat.removeIf(piece -> piece.capacity() == 0);
        return switch (flat.size()) {
            case 0 -> into(ByteBuffer.allocate(0));
            case 1 -> flat.get(0);
            default -> new InPieces(flat);
        };
    }

    /**
     * See {@link Destination#into(ByteBuffer)}.
     *
     * @param buffer all of it is the destination
     */
    record InBuffer(ByteBuffer buffer) implements Destination {

        /** Makes a buffer of what is between the position and limit. */
        public InBuffer {
            buffer = buffer.slice();
        }

        @Override
        public long capacity() {
            return buffer.capacity();
        }
    }

    /** See {@link Destination#into(RegisteredBuffer, int, int)}. */
    record InRegistered(RegisteredBuffer buffer, int offset, int length) implements Destination {

        /** Checks the range. */
        public InRegistered {
            Objects.checkFromIndexSize(offset, length, buffer.length());
        }

        @Override
        public long capacity() {
            return length;
        }
    }

    /**
     * See {@link Destination#into(List)}.
     *
     * @param pieces at least two, none empty, each a buffer or a range of registered memory
     */
    record InPieces(List<Destination> pieces) implements Destination {

        /** Copies the list of pieces, and checks them. */
        public InPieces {
            pieces = List.copyOf(pieces);
            boolean areSuitable = pieces.stream()
                    .allMatch(
                            each -> (each instanceof InBuffer || each instanceof InRegistered) && each.capacity() > 0);
            if (pieces.size() < 2 || !areSuitable) {
                throw new IllegalArgumentException("not several buffers or ranges with room: " + pieces);
            }
        }

        @Override
        public long capacity() {
            return pieces.stream().mapToLong(Destination::capacity).sum();
        }
    }

    /** See {@link Destination#allocate}. */
    record Allocated() implements Destination {
        @Override
        public long capacity() {
            return Integer.MAX_VALUE;
        }
    }
}
