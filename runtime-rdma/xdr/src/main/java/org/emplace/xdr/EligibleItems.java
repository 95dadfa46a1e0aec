// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Gives a decoder the DDP-eligible items that were not sent in the XDR stream. An {@link XdrDecoder} asks for each
 * eligible item, in stream order. Transports implement this interface; generated code and applications do not use it.
 *
 * <p>Used only by the thread that decodes.
 */
public interface EligibleItems {

    /** The items of a message without chunks: all are in the stream. */
    EligibleItems ALL_INLINE = new EligibleItems() {
        @Override
        public @Nullable Payload chunkAt(long position, long length) {
            return null;
        }

        @Override
        public Payload inline(ByteBuffer stream, int length) {
            return Payload.of(stream.slice(stream.position(), length));
        }
    };

    /**
     * The {@code length} of an item whose length is not in the stream: any item other than {@code opaque} or {@code
     * string}.
     */
    long UNKNOWN_LENGTH = -1;

    /**
     * Returns the chunk that carries the item at {@code position}, or null if the item is in the stream. Called for an
     * empty item, too: an empty result takes its Write chunk, but an empty argument has no Read chunk.
     *
     * @param position offset in bytes in the unreduced RPC message, from its xid on (RFC 8166 section 3.4.5): after the
     *     count of a variable-length item, after the flag of an optional one
     * @param length the item's length in bytes according to the stream, or {@link #UNKNOWN_LENGTH}
     * @throws XdrException if the chunk's length does not match
     */
    @Nullable
    Payload chunkAt(long position, long length) throws XdrException;

    /**
     * Creates a payload for an item in the stream.
     *
     * @param stream the transport's receive buffer, with its position at the item. The method changes neither the buffer's
     *     position nor its bytes, and the payload must not let others change them
     * @param length the length of the item in bytes; the buffer has as many
     * @throws XdrException if the item is longer than the destination that the caller gave for it
     */
    Payload inline(ByteBuffer stream, int length) throws XdrException;
}
