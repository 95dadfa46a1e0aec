// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.util.Optional;
import org.emplace.rpcrdma.header.ChunkLists;
import org.emplace.rpcrdma.header.WriteChunk;

/**
 * The rules for the chunk lists of calls. The responder checks them before it uses the lists, and answers a call that
 * breaks one with ERR_CHUNK (RFC 8166 section 4.5). A Write chunk may have no segments, which requests its result
 * inline (RFC 8267 section 6.4.1; Linux rejects it).
 *
 * @param permitted whether the calls may have chunks; there are none in the backward direction (RFC 8167)
 * @param maximumMessage the length in bytes of the largest call message, including all chunks
 */
public record ChunkRules(boolean permitted, int maximumMessage) {
    /** The number of segments that Linux accepts in one chunk. */
    private static final int MOST_SEGMENTS = 259;

    /** Describes the rule that the lists of an RDMA_MSG call break; empty if there is none. */
    Optional<String> brokenByMessage(ChunkLists chunks) {
        if (chunks.isEmpty()) {
            return Optional.empty();
        }
        if (chunks.hasPositionZero()) {
            return Optional.of("RDMA_MSG with a Position Zero Read chunk");
        }
        return broken(chunks);
    }

    /** Describes the rule that the lists of an RDMA_NOMSG call break; empty if there is none. */
    Optional<String> brokenByNoMessage(ChunkLists chunks) {
        if (!chunks.hasPositionZero()) {
            return Optional.of("RDMA_NOMSG without a Position Zero Read chunk");
        }
        return broken(chunks);
    }

    private Optional<String> broken(ChunkLists chunks) {
        if (!permitted) {
            return Optional.of("chunks in the backward direction");
        }
        for (int i = 0; i < chunks.reads().size(); i++) {
            long position = chunks.reads().get(i).position();
            if (position % 4 != 0) {
                return Optional.of("a Read chunk at position " + position + ", which is not a multiple of four");
            }
        }
        long total = chunks.readLength();
        if (total > maximumMessage) {
            return Optional.of("Read chunks of " + total + " bytes, at most " + maximumMessage + " are accepted");
        }
        for (int i = 0; i < chunks.writes().size(); i++) {
            WriteChunk write = chunks.writes().get(i);
            if (write.segments().size() > MOST_SEGMENTS) {
                return Optional.of(tooManySegments("a Write chunk", write));
            }
        }
        WriteChunk reply = chunks.reply().orElse(null);
        if (reply != null && reply.segments().isEmpty()) {
            return Optional.of("a Reply chunk of no segments");
        }
        return reply != null && reply.segments().size() > MOST_SEGMENTS
                ? Optional.of(tooManySegments("a Reply chunk", reply))
                : Optional.empty();
    }

    private static String tooManySegments(String what, WriteChunk chunk) {
        return what + " of " + chunk.segments().size() + " segments, " + MOST_SEGMENTS + " at most are accepted";
    }
}
