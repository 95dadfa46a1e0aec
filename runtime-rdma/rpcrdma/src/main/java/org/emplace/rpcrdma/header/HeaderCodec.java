// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rpcrdma.header.ChunkLists.ReadChunk;
import org.emplace.rpcrdma.header.ChunkLists.WriteChunk;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrException;

/**
 * Encodes and decodes headers of version 1 (RFC 8166 section 4). Written by hand, because creating generated records
 * costs more time than a small call. Reads lists by index, because iterators would be garbage for each message.
 */
public final class HeaderCodec {
    /** The version of RPC-over-RDMA. */
    public static final int VERSION = 1;

    /**
     * The length in bytes of the four fields at the beginning of every header, whatever its version: xid, version,
     * credits and type (RFC 8166 section 4.2).
     */
    public static final int FIXED_FIELDS = 16;

    /** The numbers of {@code rdma_proc} (RFC 8166 section 4.1). RDMA_MSGP and RDMA_DONE are no longer sent. */
    private static final int MESSAGE = 0;

    private static final int NO_MESSAGE = 1;
    private static final int PADDED_MESSAGE = 2;
    private static final int DONE = 3;
    private static final int ERROR = 4;

    /** The numbers of {@code rpcrdma_errcode}. */
    private static final int VERSION_ERROR = 1;

    private static final int CHUNK_ERROR = 2;

    private static final int SEGMENT_BYTES = 16;

    private HeaderCodec() {}

    /** Writes a header of {@link HeaderSize#of(Header)} bytes at the buffer's position. */
    public static void encode(Header header, ByteBuffer out) {
        out.putInt(header.xid()).putInt(VERSION).putInt((int) header.credits());
        if (header instanceof Header.Message message) {
            encode(message.chunks(), out.putInt(MESSAGE));
        } else if (header instanceof Header.NoMessage message) {
            encode(message.chunks(), out.putInt(NO_MESSAGE));
        } else if (header instanceof Header.VersionError error) {
            out.putInt(ERROR).putInt(VERSION_ERROR);
            out.putInt((int) error.low()).putInt((int) error.high());
        } else if (header instanceof Header.ChunkError) {
            out.putInt(ERROR).putInt(CHUNK_ERROR);
        } else {
            out.putInt(DONE);
        }
    }

    /** Writes an RDMA_MSG header without chunks, of {@link HeaderSize#WITHOUT_CHUNKS} bytes, at the buffer's position. */
    public static void encodeWithoutChunks(int xid, int credits, ByteBuffer out) {
        out.putInt(xid).putInt(VERSION).putInt(credits).putInt(MESSAGE);
        encode(ChunkLists.EMPTY, out);
    }

    private static void encode(ChunkLists chunks, ByteBuffer out) {
        if (chunks.isEmpty()) {
            out.putInt(0).putLong(0);
            return;
        }
        for (int i = 0; i < chunks.reads().size(); i++) {
            ReadChunk read = chunks.reads().get(i);
            for (int j = 0; j < read.segments().size(); j++) {
                encode(read.segments().get(j), out.putInt(1).putInt((int) read.position()));
            }
        }
        out.putInt(0);
        for (int i = 0; i < chunks.writes().size(); i++) {
            encode(chunks.writes().get(i), out.putInt(1));
        }
        out.putInt(0);
        Optional<WriteChunk> reply = chunks.reply();
        out.putInt(reply.isPresent() ? 1 : 0);
        if (reply.isPresent()) {
            encode(reply.get(), out);
        }
    }

    private static void encode(WriteChunk chunk, ByteBuffer out) {
        out.putInt(chunk.segments().size());
        for (int i = 0; i < chunk.segments().size(); i++) {
            encode(chunk.segments().get(i), out);
        }
    }

    private static void encode(RemoteSegment segment, ByteBuffer out) {
        out.putInt(segment.stag()).putInt((int) segment.length()).putLong(segment.offset());
    }

    /**
     * Returns the xid of a header of any version.
     *
     * @param received at least {@link #FIXED_FIELDS} bytes
     */
    public static int xidOf(ByteBuffer received) {
        return received.getInt(0);
    }

    /**
     * Whether a header is an RDMA_ERROR, which is the same in all versions.
     *
     * @param received at least {@link #FIXED_FIELDS} bytes
     */
    public static boolean isError(ByteBuffer received) {
        return received.getInt(12) == ERROR;
    }

    /**
     * Decodes a header, and leaves the decoder at the RPC message. If the header is of another version and is not an
     * RDMA_ERROR, decodes only the fields that all versions have.
     *
     * @param limits of the header's lists
     * @throws XdrException if the header is truncated or malformed, or its lists exceed a limit
     */
    public static Header decode(XdrDecoder in, ChunkLimits limits) throws XdrException {
        int xid = in.readInt();
        long version = in.readUnsignedInt();
        long credits = in.readUnsignedInt();
        int type = in.readInt();
        if (version != VERSION && type != ERROR) {
            return new Header.OtherVersion(xid, credits, version);
        }
        return switch (type) {
            case MESSAGE -> new Header.Message(xid, credits, lists(in, limits));
            case NO_MESSAGE -> new Header.NoMessage(xid, credits, lists(in, limits));
            case PADDED_MESSAGE -> {
                // Alignment and threshold are ignored, as RFC 8166 section 4.6.1 allows.
                in.readInt();
                in.readInt();
                yield new Header.Message(xid, credits, lists(in, limits));
            }
            case DONE -> new Header.Done(xid, credits);
            case ERROR -> error(xid, credits, in);
            default ->
                throw in.malformed(
                        "the header has type " + Integer.toUnsignedString(type) + ", which version 1 does not define");
        };
    }

    private static Header error(int xid, long credits, XdrDecoder in) throws XdrException {
        int error = in.readInt();
        return switch (error) {
            case VERSION_ERROR -> new Header.VersionError(xid, credits, in.readUnsignedInt(), in.readUnsignedInt());
            case CHUNK_ERROR -> new Header.ChunkError(xid, credits);
            default ->
                throw in.malformed("RDMA_ERROR with error " + Integer.toUnsignedString(error)
                        + ", which version 1 does not define");
        };
    }

    private static ChunkLists lists(XdrDecoder in, ChunkLimits limits) throws XdrException {
        if (in.remaining() >= 3 * Integer.BYTES && (in.peekInt(0) | in.peekInt(4) | in.peekInt(8)) == 0) {
            in.readInt();
            in.readHyper();
            return ChunkLists.EMPTY;
        }
        List<ReadChunk> reads = in.readBoolean() ? readChunks(in, limits) : List.of();
        List<WriteChunk> writes = in.readBoolean() ? writeChunks(in, limits) : List.of();
        Optional<WriteChunk> reply =
                in.readBoolean() ? Optional.of(writeChunk(in, limits.writeSegments())) : Optional.empty();
        return new ChunkLists(reads, writes, reply);
    }

    /** Decodes a Read list. Most have one segment. The segments of a chunk need not be adjacent in the list. */
    private static List<ReadChunk> readChunks(XdrDecoder in, ChunkLimits limits) throws XdrException {
        long position = in.readUnsignedInt();
        RemoteSegment first = segment(in);
        if (!in.readBoolean()) {
            return List.of(new ReadChunk(position, List.of(first)));
        }
        Map<Long, List<RemoteSegment>> segments = new TreeMap<>();
        segments.put(position, new ArrayList<>(List.of(first)));
        int count = 1;
        do {
            segments.computeIfAbsent(in.readUnsignedInt(), another -> new ArrayList<>(1))
                    .add(segment(in));
            count++;
            if (count > limits.readSegments() || segments.size() > limits.readChunks()) {
                throw in.malformed("the Read list has more than " + limits.readSegments() + " segments or "
                        + limits.readChunks() + " chunks");
            }
        } while (in.readBoolean());
        List<ReadChunk> chunks = new ArrayList<>(segments.size());
        segments.forEach((at, chunk) -> chunks.add(new ReadChunk(at, chunk)));
        return chunks;
    }

    /** Decodes a Write list. Most have one chunk. */
    private static List<WriteChunk> writeChunks(XdrDecoder in, ChunkLimits limits) throws XdrException {
        WriteChunk first = writeChunk(in, limits.writeSegments());
        if (!in.readBoolean()) {
            return List.of(first);
        }
        List<WriteChunk> chunks = new ArrayList<>();
        chunks.add(first);
        int left = limits.writeSegments() - first.segments().size();
        do {
            if (chunks.size() == limits.writeChunks()) {
                throw in.malformed("the Write list has more than " + limits.writeChunks() + " chunks");
            }
            WriteChunk next = writeChunk(in, left);
            chunks.add(next);
            left -= next.segments().size();
        } while (in.readBoolean());
        return chunks;
    }

    private static WriteChunk writeChunk(XdrDecoder in, int most) throws XdrException {
        return new WriteChunk(in.readArray(most, SEGMENT_BYTES, HeaderCodec::segment));
    }

    private static RemoteSegment segment(XdrDecoder in) throws XdrException {
        int stag = in.readInt();
        long length = in.readUnsignedInt();
        return new RemoteSegment(stag, in.readUnsignedHyper(), length);
    }

    /** Computes the length of a header in bytes, before memory is exposed for its chunks. */
    public static final class HeaderSize {
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
}
