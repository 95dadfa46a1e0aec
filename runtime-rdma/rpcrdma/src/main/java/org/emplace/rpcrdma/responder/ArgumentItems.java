// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.emplace.rpcrdma.header.ReadChunk;
import org.emplace.rpcrdma.header.ReadSegment;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrException;
import org.jspecify.annotations.Nullable;

/** Finds the eligible arguments of a call: in the Read chunk at their position, else in the message. */
final class ArgumentItems implements EligibleItems {
    private final Map<Long, ReadChunk> left;
    private final IncomingRdmaCall call;

    /** @param reads the call's Read list; what stands at position zero is no argument */
    ArgumentItems(List<ReadSegment> reads, IncomingRdmaCall call) {
        this.left = reads.isEmpty() ? Map.of() : ReadChunk.byPosition(reads);
        if (!left.isEmpty()) {
            left.remove(0L);
        }
        this.call = call;
    }

    /** Whether every chunk turned out to be an eligible argument. */
    boolean allTaken() {
        return left.isEmpty();
    }

    @Override
    public @Nullable Payload chunkAt(long position, long length) throws XdrException {
        ReadChunk chunk = left.isEmpty() ? null : left.remove(position);
        if (chunk == null) {
            return null;
        }
        long present = chunk.length();
        if (length != UNKNOWN_LENGTH && present != length && present != EncodedMessage.roundUp(length)) {
            throw new XdrException(
                    "the Read chunk at position " + position + " has " + present + " bytes, its item " + length);
        }
        return new ReadChunkPayload(chunk, (int) (length == UNKNOWN_LENGTH ? present : length), call);
    }

    @Override
    public Payload inline(ByteBuffer bytes) {
        return new ArgumentPayload(bytes, call);
    }
}
