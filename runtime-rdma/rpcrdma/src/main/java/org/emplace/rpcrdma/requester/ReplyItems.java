// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import java.nio.ByteBuffer;
import java.util.List;
import org.emplace.rpc.transport.CallCounters;
import org.emplace.rpc.transport.DestinationItems;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the eligible results of a reply: the n-th result in the reply is in the n-th Write chunk; further ones are in
 * the message.
 */
final class ReplyItems implements EligibleItems {
    private final List<ResultChunk> chunks;
    private final long[] placed;
    private final DestinationItems inline;
    private final CallCounters counters;
    private int items;

    /**
     * For the results of one reply.
     *
     * @param chunks the memory of the Write chunks
     * @param placed the number of bytes in each chunk, according to the reply
     * @param inline copies inline results
     */
    ReplyItems(List<ResultChunk> chunks, long[] placed, DestinationItems inline, CallCounters counters) {
        this.chunks = chunks;
        this.placed = placed;
        this.inline = inline;
        this.counters = counters;
    }

    @Override
    public @Nullable Payload chunkAt(long position, long length) throws XdrException {
        int index = items++;
        if (index >= chunks.size()) {
            return null;
        }
        long present = placed[index];
        if (length != UNKNOWN_LENGTH && present != length && present != EncodedMessage.roundUp(length)) {
            throw new XdrException(
                    "Write chunk " + index + " came back with " + present + " bytes for a result of " + length);
        }
        counters.writeChunk(present);
        return chunks.get(index).placed((int) (length == UNKNOWN_LENGTH ? present : length), counters);
    }

    @Override
    public Payload inline(ByteBuffer bytes) throws XdrException {
        return inline.copy(items - 1, bytes);
    }
}
