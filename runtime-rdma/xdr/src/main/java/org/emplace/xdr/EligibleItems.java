// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where a transport keeps the DDP-eligible items that did not travel in the XDR stream. An {@link XdrDecoder} asks at every eligible
 * item that it meets, in stream order; generated code and users never see this.
 *
 * <p>Used by the one thread that decodes.
 */
public interface EligibleItems {

    /** The items of a message that has no chunks: everything stands in the stream. */
    EligibleItems ALL_INLINE = new EligibleItems() {
        @Override
        public @Nullable Payload chunkAt(long position, long length) {
            return null;
        }

        @Override
        public Payload inline(ByteBuffer bytes) {
            return Payload.of(bytes);
        }
    };

    /** The value of {@code length} for an item whose size the stream does not say (anything but opaque and string). */
    long UNKNOWN_LENGTH = -1;

    /**
     * The chunk that carries the item at {@code position}, or null if the item stands in the stream.
     *
     * @param position offset of the item's first byte that may go into a chunk, in the unreduced RPC message, from its xid (RFC 8166 section 3.4.5):
     *     after the count of a counted item, after the flag of an optional one
     * @param length the bytes that the stream says the item has, or {@link #UNKNOWN_LENGTH}
     * @throws XdrException if the chunk's length does not match
     */
    @Nullable
    Payload chunkAt(long position, long length) throws XdrException;

    /**
     * Creates a payload for an item in the stream.
     *
     * @param bytes a read-only view of the transport's receive buffer
     * @throws XdrException if the item is longer than the destination that the user gave for it
     */
    Payload inline(ByteBuffer bytes) throws XdrException;
}
