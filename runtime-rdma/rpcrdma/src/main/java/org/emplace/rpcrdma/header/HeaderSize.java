// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

/** Computes the length of a header in bytes, before memory is exposed for its chunks. */
public final class HeaderSize {
    /** The fixed fields and three empty lists. */
    public static final int WITHOUT_CHUNKS = HeaderCodec.FIXED_FIELDS + 3 * 4;

    /** A segment: handle, length and offset. */
    public static final int SEGMENT = 16;

    /** An entry of the Read list: the flag, the position and the segment. */
    public static final int READ_SEGMENT = 4 + 4 + SEGMENT;

    /** An entry of the Write list with one segment: the flag, the number of segments and the segment. */
    static final int WRITE_CHUNK = 4 + 4 + SEGMENT;

    /** A Reply chunk with one segment, without its flag: the number of segments and the segment. */
    private static final int REPLY_CHUNK = 4 + SEGMENT;

    private HeaderSize() {}

    /** The length of a call's header, whose Write chunks and Reply chunk have one segment each. */
    public static int call(int readSegments, int writeChunks, boolean replyChunk) {
        return readSegments * READ_SEGMENT + reply(writeChunks, replyChunk);
    }

    /** The length of a reply's header, whose Write chunks and Reply chunk have one segment each. */
    public static int reply(int writeChunks, boolean replyChunk) {
        return WITHOUT_CHUNKS + writeChunks * WRITE_CHUNK + (replyChunk ? REPLY_CHUNK : 0);
    }

    /** The length of a header. */
    public static int of(Header header) {
        if (header instanceof Header.Message message) {
            return of(message.chunks());
        } else if (header instanceof Header.NoMessage message) {
            return of(message.chunks());
        } else if (header instanceof Header.VersionError) {
            return HeaderCodec.FIXED_FIELDS + 3 * 4;
        }
        return HeaderCodec.FIXED_FIELDS + (header instanceof Header.ChunkError ? 4 : 0);
    }

    /** The length of a header with these lists. */
    public static int of(ChunkLists lists) {
        if (lists.isEmpty()) {
            return WITHOUT_CHUNKS;
        }
        int size = WITHOUT_CHUNKS;
        for (int i = 0; i < lists.reads().size(); i++) {
            size += lists.reads().get(i).segments().size() * READ_SEGMENT;
        }
        for (int i = 0; i < lists.writes().size(); i++) {
            size += 4 + 4 + lists.writes().get(i).segments().size() * SEGMENT;
        }
        return size
                + lists.reply()
                        .map(chunk -> 4 + chunk.segments().size() * SEGMENT)
                        .orElse(0);
    }

    /**
     * The most Write chunks with one segment that fit in a header together with a Reply chunk and one Read segment.
     *
     * @param threshold the longest header in bytes
     */
    public static int mostWriteChunks(int threshold) {
        return (threshold - WITHOUT_CHUNKS - REPLY_CHUNK - READ_SEGMENT) / WRITE_CHUNK;
    }
}
