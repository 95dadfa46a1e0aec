// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import java.util.List;
import java.util.Optional;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rpcrdma.header.ChunkLists.ReadChunk;
import org.emplace.rpcrdma.header.ChunkLists.WriteChunk;

/**
 * How many chunks and segments the header of a call may have. They bound what a header costs before anything of it is used: decoding stops at the
 * first one too many.
 *
 * @param readChunks the most Read chunks
 * @param readSegments the most segments of all Read chunks together
 * @param writeChunks the most Write chunks
 * @param writeSegments the most segments of all Write chunks together, and of the Reply chunk
 */
public record ChunkLimits(int readChunks, int readSegments, int writeChunks, int writeSegments) {
    /** No limit: for the replies of a peer that this side has chosen. */
    public static final ChunkLimits NONE =
            new ChunkLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);

    /** The number of segments that Linux accepts in one chunk: the pages of 1 MiB, and three for what is around them. */
    public static final int MOST_SEGMENTS = 259;

    /** How many chunks are accepted of calls whose bindings allow fewer, so that the reply says what is wrong. */
    private static final int LEAST_CHUNKS = 16;

    private static final int PAGE = 4096;
    /** The segments of a chunk whose length does not matter: Linux has one for each part of a message, however short. */
    private static final int SHORT_SEGMENTS = 16;

    private static final int SEGMENT_LENGTH = 1024;

    /**
     * The limits for calls.
     *
     * @param readChunks the most Read chunks of arguments that a binding allows
     * @param writeChunks the most Write chunks that a binding allows
     * @param maxMessage the length in bytes of the longest message
     */
    public static ChunkLimits forCalls(int readChunks, int writeChunks, int maxMessage) {
        // One more, at position zero.
        int reads = sum(Math.max(LEAST_CHUNKS, readChunks), 1);
        int writes = Math.max(LEAST_CHUNKS, writeChunks);
        int readSegments = Math.max(MOST_SEGMENTS, maxMessage / PAGE + 3);
        return new ChunkLimits(reads, sum(readSegments, reads), writes, sum(MOST_SEGMENTS, writes));
    }

    /**
     * The most segments of a chunk of so many bytes. Each costs its receiver an RDMA operation, so many of them must be worth it.
     *
     * @param length the total length of the segments
     */
    public static long mostSegments(long length) {
        return SHORT_SEGMENTS + length / SEGMENT_LENGTH;
    }

    private static int sum(int one, int other) {
        return (int) Math.min(Integer.MAX_VALUE, (long) one + other);
    }

    /**
     * The rules for the chunk lists of calls. The responder checks them before it uses the lists, and answers a call that
     * breaks one with ERR_CHUNK (RFC 8166 section 4.5). A Write chunk may have no segments, which requests its result
     * inline (RFC 8267 section 6.4.1; Linux rejects it).
     *
     * @param permitted whether the calls may have chunks; there are none in the backward direction (RFC 8167)
     * @param maxMessage the length in bytes of the largest call message, including all chunks
     */
    public record Rules(boolean permitted, int maxMessage) {
        /** Describes the rule that the lists of an RDMA_MSG call break; empty if there is none. */
        public Optional<String> brokenByMessage(ChunkLists chunks) {
            if (chunks.isEmpty()) {
                return Optional.empty();
            }
            if (chunks.hasPositionZero()) {
                return Optional.of("RDMA_MSG with a Position Zero Read chunk");
            }
            return broken(chunks);
        }

        /** Describes the rule that the lists of an RDMA_NOMSG call break; empty if there is none. */
        public Optional<String> brokenByNoMessage(ChunkLists chunks) {
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
                    return Optional.of(
                            "a Read chunk at position " + read.position() + ", which is not a multiple of four");
                }
                if (read.segments().size() > mostSegments(read.length())) {
                    return Optional.of(tooShortSegments("a Read chunk", read.segments(), read.length()));
                }
            }
            long total = chunks.readLength();
            if (total > maxMessage) {
                return Optional.of("Read chunks of " + total + " bytes, at most " + maxMessage + " are accepted");
            }
            for (int i = 0; i < chunks.writes().size(); i++) {
                Optional<String> broken =
                        broken("a Write chunk", chunks.writes().get(i));
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
            if (segments > MOST_SEGMENTS) {
                return Optional.of(what + " of " + segments + " segments, " + MOST_SEGMENTS + " at most are accepted");
            }
            return segments > mostSegments(chunk.length())
                    ? Optional.of(tooShortSegments(what, chunk.segments(), chunk.length()))
                    : Optional.empty();
        }

        private static String tooShortSegments(String what, List<RemoteSegment> segments, long length) {
            return what + " of " + segments.size() + " segments for " + length + " bytes, " + mostSegments(length)
                    + " at most are accepted";
        }
    }
}
