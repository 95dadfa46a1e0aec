// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.util.List;
import java.util.Optional;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rpcrdma.header.ChunkLimits;
import org.emplace.rpcrdma.header.ChunkLists;
import org.emplace.rpcrdma.header.ChunkLists.ReadChunk;
import org.emplace.rpcrdma.header.ChunkLists.WriteChunk;

/**
 * The rules for the chunk lists of calls. The responder checks them before it uses the lists, and answers a call that
 * breaks one with ERR_CHUNK (RFC 8166 section 4.5). A Write chunk may have no segments, which requests its result
 * inline (RFC 8267 section 6.4.1; Linux rejects it).
 *
 * @param permitted whether the calls may have chunks; there are none in the backward direction (RFC 8167)
 * @param maximumMessage the length in bytes of the largest call message, including all chunks
 */
public record ChunkRules(boolean permitted, int maximumMessage) {
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
            ReadChunk read = chunks.reads().get(i);
            if (read.position() % 4 != 0) {
                return Optional.of("a Read chunk at position " + read.position() + ", which is not a multiple of four");
            }
            if (read.segments().size() > ChunkLimits.mostSegments(read.length())) {
                return Optional.of(tooShortSegments("a Read chunk", read.segments(), read.length()));
            }
        }
        long total = chunks.readLength();
        if (total > maximumMessage) {
            return Optional.of("Read chunks of " + total + " bytes, at most " + maximumMessage + " are accepted");
        }
        for (int i = 0; i < chunks.writes().size(); i++) {
            Optional<String> broken = broken("a Write chunk", chunks.writes().get(i));
            if (broken.isPresent()) {
                return broken;
            }
        }
        WriteChunk reply = chunks.reply().orElse(null);
        if (reply == null) {
            return Optional.empty();
        }
        return reply.segments().isEmpty()
                ? Optional.of("a Reply chunk of no segments")
                : broken("a Reply chunk", reply);
    }

    private static Optional<String> broken(String what, WriteChunk chunk) {
        int segments = chunk.segments().size();
        if (segments > ChunkLimits.MOST_SEGMENTS) {
            return Optional.of(
                    what + " of " + segments + " segments, " + ChunkLimits.MOST_SEGMENTS + " at most are accepted");
        }
        return segments > ChunkLimits.mostSegments(chunk.length())
                ? Optional.of(tooShortSegments(what, chunk.segments(), chunk.length()))
                : Optional.empty();
    }

    private static String tooShortSegments(String what, List<RemoteSegment> segments, long length) {
        return what + " of " + segments.size() + " segments for " + length + " bytes, "
                + ChunkLimits.mostSegments(length) + " at most are accepted";
    }
}
