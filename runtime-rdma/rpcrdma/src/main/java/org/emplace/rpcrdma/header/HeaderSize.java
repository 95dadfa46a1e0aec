// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

/** How many bytes a header takes, known before any memory is exposed for the chunks that it will name. */
public final class HeaderSize {
    /** The fixed fields and three empty lists. */
    static final int WITHOUT_CHUNKS = FixedFields.SIZE + 3 * 4;

    /** Handle, length and offset: the size of each further segment of a Write chunk too. */
    public static final int SEGMENT = 16;

    /** An entry of the Read list: its presence, the position and the segment. */
    public static final int READ_SEGMENT = 4 + 4 + SEGMENT;

    /** An entry of the Write list with one segment: its presence, the segment count and the segment. */
    static final int WRITE_CHUNK = 4 + 4 + SEGMENT;

    /** What the Reply chunk of one segment adds: the segment count and the segment. */
    private static final int REPLY_CHUNK = 4 + SEGMENT;

    private HeaderSize() {}

    /** A call's header, its Write chunks and Reply chunk of one segment each. */
    public static int call(int readSegments, int writeChunks, boolean replyChunk) {
        return readSegments * READ_SEGMENT + reply(writeChunks, replyChunk);
    }

    /** The header of a reply that returns Write chunks and a Reply chunk of one segment each. */
    public static int reply(int writeChunks, boolean replyChunk) {
        return WITHOUT_CHUNKS + writeChunks * WRITE_CHUNK + (replyChunk ? REPLY_CHUNK : 0);
    }

    /** The bytes of a header. */
    public static int of(Header header) {
        if (header instanceof Header.Message message) {
            return of(message.chunks());
        } else if (header instanceof Header.NoMessage message) {
            return of(message.chunks());
        } else if (header instanceof Header.VersionError) {
            return FixedFields.SIZE + 3 * 4;
        }
        return FixedFields.SIZE + (header instanceof Header.ChunkError ? 4 : 0);
    }

    /** The header with these lists. */
    public static int of(ChunkLists lists) {
        if (lists.isEmpty()) {
            return WITHOUT_CHUNKS;
        }
        int size = WITHOUT_CHUNKS + lists.reads().size() * READ_SEGMENT;
        for (int i = 0; i < lists.writes().size(); i++) {
            size += 4 + 4 + lists.writes().get(i).segments().size() * SEGMENT;
        }
        return size
                + lists.reply()
                        .map(chunk -> 4 + chunk.segments().size() * SEGMENT)
                        .orElse(0);
    }

    /** How many Write chunks of one segment fit into a header that also has a Reply chunk and one Read segment. */
    public static int mostWriteChunks(int threshold) {
        return (threshold - WITHOUT_CHUNKS - REPLY_CHUNK - READ_SEGMENT) / WRITE_CHUNK;
    }
}
