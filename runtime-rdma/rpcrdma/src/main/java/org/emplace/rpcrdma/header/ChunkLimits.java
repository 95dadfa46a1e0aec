// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

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
}
