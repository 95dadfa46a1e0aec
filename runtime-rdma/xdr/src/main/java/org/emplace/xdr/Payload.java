// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * The bytes of a DDP-eligible {@code opaque} or {@code string}, or the elements of a DDP-eligible array of numbers.
 * Generated records hold a payload where others hold an array, so that a transport can move the bytes between the
 * peer's memory and the application's without a copy.
 *
 * <p>A payload refers to memory; it neither owns nor copies it. How long it is valid depends on who made it:
 *
 * <ul>
 *   <li>A payload that the application made ({@link #of}) refers to the application's buffer, which must not change
 *       until the call completes.
 *   <li>A payload in a decoded result refers to the memory of the call's destination, and is valid as long as that
 *       memory.
 *   <li>A payload in decoded arguments is valid until the server's method has returned or, if it returns a stage, until
 *       this stage completes. Every later access throws {@link IllegalStateException}. A buffer that {@link #buffer}
 *       returned earlier has no such check, so do not use it any longer. The bytes of the payload may be in the
 *       requester's memory until the first access fetches them.
 * </ul>
 *
 * <p>Safe for use by several threads, as long as none changes the underlying memory.
 */
public interface Payload {

    /** The number of bytes, known without fetching them. Excludes XDR padding. */
    long length();

    /**
     * Returns the bytes as a read-only, big-endian buffer with position 0 and limit {@link #length()}. The elements of
     * an array can be read by views such as {@code buffer().asIntBuffer()}. If the bytes are still in the peer's
     * memory, this method fetches them and blocks until they have arrived, but no longer than the connection's transfer
     * timeout. If there are several {@linkplain #pieceCount pieces}, each call copies them into a new buffer on the
     * heap.
     *
     * @throws IOException if the bytes cannot be fetched
     * @throws IllegalStateException if the payload is no longer valid
     */
    ByteBuffer buffer() throws IOException;

    /**
     * Puts the bytes into {@code sink} from its position on, without changing that position. If the bytes are still in
     * the peer's memory and the sink is a direct buffer, they are read directly into it. Does not block.
     *
     * @param sink must have at least {@link #length()} bytes remaining, and must not be used until the stage completes
     * @return completes when the bytes are in the sink, or exceptionally with an {@link IOException} if they cannot be
     *     fetched. Dependent stages without their own executor must not block
     * @throws IllegalArgumentException if the sink is too small or read-only
     * @throws IllegalStateException if the payload is no longer valid
     */
    CompletionStage<Void> fetchInto(ByteBuffer sink);

    /** The number of separate pieces of memory that hold the bytes: one, unless the payload was made from several. */
    default int pieceCount() {
        return 1;
    }

    /**
     * Returns one of the pieces, which in order make up the bytes. Each is a payload with one piece.
     *
     * @throws IndexOutOfBoundsException if the index is negative, or not less than {@link #pieceCount}
     */
    default Payload piece(int index) {
        Objects.checkIndex(index, 1);
        return this;
    }

    /**
     * Creates a payload of the bytes between the buffer's current position and limit. Does not copy them: a transport
     * sends them from this buffer.
     */
    static Payload of(ByteBuffer bytes) {
        return new BufferPayload(bytes);
    }

    /**
     * Creates a payload that concatenates several buffers, each used as by {@link #of(ByteBuffer)}.
     *
     * @throws ArithmeticException if the buffers have more than 2³¹-1 bytes in total
     */
    static Payload of(ByteBuffer... pieces) {
        return of(Stream.of(pieces).map(BufferPayload::new).toList());
    }

    /**
     * Creates a payload that concatenates several payloads, such as ranges of registered memory. Does not copy them: a
     * transport sends each piece from its own memory. Over RDMA, each piece needs a registration and a segment in the
     * header, so it costs less to copy many small pieces into one buffer.
     *
     * @throws ArithmeticException if the payloads have more than 2³¹-1 bytes in total
     */
    static Payload of(List<? extends Payload> pieces) {
        return PiecedPayload.of(pieces);
    }
}
