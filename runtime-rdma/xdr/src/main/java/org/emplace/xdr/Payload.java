// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * The bytes of one DDP-eligible {@code opaque} or {@code string} item: what generated records hold in place of a byte array, so that a
 * transport can move the bytes between the peer's memory and the user's without a copy.
 *
 * <p>A payload is a view: it neither owns nor copies memory. Who made it decides how long it may be used:
 *
 * <ul>
 *   <li>A payload that the user made ({@link #of}) refers to the user's buffer, which must not change until the call completes.
 *   <li>A payload in a decoded result refers to the buffer of the call's destination, and lives as long as that buffer.
 *   <li>A payload in decoded arguments is valid until the stage that the server returned completes; after that every access fails
 *       with {@link IllegalStateException}. The bytes may still be in the requester's memory until the first access fetches them.
 * </ul>
 *
 * <p>Payloads are safe for use by several threads as far as the buffers behind them are.
 */
public interface Payload {

    /** The number of bytes, known without fetching them. Excludes XDR padding. */
    long length();

    /**
     * The bytes as a read-only, big-endian buffer with position 0 and limit {@link #length()}. Of an array of numbers these are the elements as they are on the
     * wire: {@code buffer().asIntBuffer()} and its like show them as numbers. Fetches them first where they are still in the
     * peer's memory, and blocks until they are here; the wait is bounded by the connection's timeout. If there are several
     * {@linkplain #pieceCount pieces}, the buffer is a copy on the heap, made anew each time.
     *
     * @throws IOException if the bytes cannot be fetched
     */
    ByteBuffer buffer() throws IOException;

    /**
     * Puts the bytes into {@code sink} from its position on, directly from the peer's memory where they are still there and the sink
     * is direct memory. The sink's position is not changed. Does not block.
     *
     * @param sink must have at least {@link #length()} bytes remaining; must not be touched until the stage completes
     * @return completes when the bytes are in place, exceptionally with an {@link IOException} if they cannot be fetched
     * @throws IllegalArgumentException if the sink is too small or read-only
     */
    CompletionStage<Void> fetchInto(ByteBuffer sink);

    /** How many pieces of memory hold the bytes: one, unless the payload was made from several. */
    default int pieceCount() {
        return 1;
    }

    /**
     * One of the pieces, which in order make up the bytes. A piece itself has one piece. A transport sends each from where it is.
     *
     * @throws IndexOutOfBoundsException if the index is negative, or not less than {@link #pieceCount}
     */
    default Payload piece(int index) {
        Objects.checkIndex(index, 1);
        return this;
    }

    /**
     * A payload of the bytes between the buffer's position and limit, as they are now. The bytes are not copied: a transport sends
     * them from this buffer.
     */
    static Payload of(ByteBuffer bytes) {
        return new BufferPayload(bytes);
    }

    /** A payload of the bytes of several buffers, concatenated; each as in {@link #of(ByteBuffer)}. */
    static Payload of(ByteBuffer... pieces) {
        return of(Stream.of(pieces).map(BufferPayload::new).toList());
    }

    /**
     * A payload of the bytes of several payloads, concatenated, such as ranges of registered memory. Nothing is copied: a
     * transport sends each from where it is. Over RDMA each piece takes a segment in the message's header and must be registered,
     * so many small pieces cost more than one copy of them.
     *
     * @throws ArithmeticException if they have more than 2³¹-1 bytes together
     */
    static Payload of(List<? extends Payload> pieces) {
        return PiecedPayload.of(pieces);
    }
}
