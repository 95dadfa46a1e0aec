// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Where one DDP-eligible result of one call goes. The bytes end there whichever way they came: directly where a Write chunk carried
 * them, by one counted copy where they came inline or over TCP. A result that is longer than its destination is the peer's violation.
 */
public sealed interface Destination {

    /** How many bytes it holds; {@link Integer#MAX_VALUE} if it is allocated. */
    long room();

    /**
     * Into the buffer's bytes between position and limit; its position and limit are not changed. Direct memory is registered for the
     * call, heap memory is staged and copied.
     *
     * @throws IllegalArgumentException if the buffer is read-only
     */
    static Destination into(ByteBuffer buffer) {
        if (buffer.isReadOnly()) {
            throw new IllegalArgumentException("a destination cannot be a read-only buffer");
        }
        return new InBuffer(buffer.slice());
    }

    /**
     * Into registered memory: a call then costs no set-up except the grant of access.
     *
     * @throws IndexOutOfBoundsException if the range is not within the buffer
     */
    static Destination into(RegisteredBuffer buffer, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, buffer.length());
        return new InRegistered(buffer, offset, length);
    }

    /** Into memory that the runtime allocates for the result and leaves to the garbage collector. */
    static Destination allocate() {
        return new Allocated();
    }

    /** Into several buffers, each filled before the next; each as in {@link #into(ByteBuffer)}. */
    static Destination into(ByteBuffer... pieces) {
        return into(Stream.of(pieces).map(Destination::into).toList());
    }

    /**
     * Into several destinations, such as ranges of registered memory, each filled before the next. The result's payload is the filled
     * part. Each is a segment of the Write chunk. If the header has no room for all of them, the result is staged and copied.
     *
     * @throws IllegalArgumentException if one is {@link #allocate}, which has no limit
     */
    static Destination into(List<? extends Destination> pieces) {
        List<Destination> flat = new ArrayList<>(pieces.size());
        for (Destination piece : pieces) {
            if (piece instanceof Allocated) {
                throw new IllegalArgumentException(
                        "an allocated destination has no limit, so it cannot be one of several");
            }
            flat.addAll(piece instanceof InPieces several ? several.pieces() : List.of(piece));
        }
        flat.removeIf(piece -> piece.room() == 0);
        return switch (flat.size()) {
            case 0 -> into(ByteBuffer.allocate(0));
            case 1 -> flat.get(0);
            default -> new InPieces(flat);
        };
    }

    /** See {@link Destination#into(ByteBuffer)}. */
    record InBuffer(ByteBuffer buffer) implements Destination {
        @Override
        public long room() {
            return buffer.remaining();
        }
    }

    /** See {@link Destination#into(RegisteredBuffer, int, int)}. */
    record InRegistered(RegisteredBuffer buffer, int offset, int length) implements Destination {
        @Override
        public long room() {
            return length;
        }
    }

    /**
     * See {@link Destination#into(List)}.
     *
     * @param pieces at least two, none empty, each a buffer or a range of registered memory
     */
    record InPieces(List<Destination> pieces) implements Destination {

        /** Copies the list. */
        public InPieces {
            pieces = List.copyOf(pieces);
        }

        @Override
        public long room() {
            return pieces.stream().mapToLong(Destination::room).sum();
        }
    }

    /** See {@link Destination#allocate}. */
    record Allocated() implements Destination {
        @Override
        public long room() {
            return Integer.MAX_VALUE;
        }
    }
}
