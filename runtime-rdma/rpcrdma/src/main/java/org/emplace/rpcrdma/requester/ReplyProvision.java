// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import java.util.List;
import org.emplace.rpcrdma.header.HeaderSize;
import org.emplace.xdr.EncodedMessage;

/**
 * What a requester provides for the reply of one call, decided from how large the reply can get (RFC 8166 sections 3.4.6 and 3.5.3):
 * nothing if all of it fits into a Send; else a Write chunk for every eligible result; and a Reply chunk if the rest does not fit either.
 *
 * @param writeChunks the size of each Write chunk, in the order of the binding
 * @param replyChunk the size of the Reply chunk; 0 for none
 */
record ReplyProvision(List<Long> writeChunks, long replyChunk) {

    /** No chunks: the reply comes inline. */
    static final ReplyProvision INLINE = new ReplyProvision(List.of(), 0);

    /** xid, message type, reply_stat, the verifier's flavour and length, accept_stat. */
    private static final int RPC_REPLY_HEADER = 24;

    /** Whether nothing is provided but the Receive. */
    boolean isInline() {
        return writeChunks.isEmpty() && replyChunk == 0;
    }

    ReplyProvision {
        writeChunks = List.copyOf(writeChunks);
    }

    /**
     * Decides for one call.
     *
     * @param eligible the largest size of each eligible result
     * @param verifier the largest body of the reply's verifier
     * @param bound the largest size of the rest of the results
     * @param chunkLimit how many Write chunks may be offered
     * @param threshold the largest message that comes in one Send
     */
    static ReplyProvision of(List<Long> eligible, int verifier, long bound, int chunkLimit, int threshold) {
        long message = RPC_REPLY_HEADER + EncodedMessage.roundUp(verifier) + bound;
        if (HeaderSize.reply(0) + message + padded(eligible) <= threshold) {
            return INLINE;
        }
        int chunks = Math.min(chunkLimit, eligible.size());
        message += padded(eligible.subList(chunks, eligible.size()));
        boolean fits = HeaderSize.reply(chunks) + message <= threshold;
        return new ReplyProvision(eligible.subList(0, chunks), fits ? 0 : message);
    }

    /** The size of the header of a call that offers this and has {@code readSegments} Read segments. */
    int callHeader(int readSegments) {
        return HeaderSize.call(readSegments, writeChunks.size(), replyChunk > 0);
    }

    private static long padded(List<Long> sizes) {
        if (sizes.isEmpty()) {
            return 0;
        }
        long total = 0;
        for (long size : sizes) {
            total += EncodedMessage.roundUp(size);
        }
        return total;
    }
}
