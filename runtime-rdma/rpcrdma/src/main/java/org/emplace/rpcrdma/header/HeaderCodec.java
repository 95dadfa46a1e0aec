// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.rdma.RemoteSegment;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrReader;

/**
 * Encodes and decodes headers of version 1 (RFC 8166 section 4). Written by hand, because creating generated records
 * costs more time than a small call. Reads lists by index, because iterators would be garbage for each message.
 */
public final class HeaderCodec {
    /** The version of RPC-over-RDMA. */
    public static final int VERSION = 1;

    private static final int SEGMENT_BYTES = 16;

    private HeaderCodec() {}

    /** Writes a header of {@link HeaderSize#of(Header)} bytes at the buffer's position. */
    public static void encode(Header header, ByteBuffer out) {
        out.putInt(header.xid()).putInt(VERSION).putInt((int) header.credits());
        if (header instanceof Header.Message message) {
            encode(message.chunks(), out.putInt(HeaderType.MESSAGE));
        } else if (header instanceof Header.NoMessage message) {
            encode(message.chunks(), out.putInt(HeaderType.NO_MESSAGE));
        } else if (header instanceof Header.VersionError error) {
            out.putInt(HeaderType.ERROR).putInt(HeaderType.VERSION_ERROR);
            out.putInt((int) error.low()).putInt((int) error.high());
        } else if (header instanceof Header.ChunkError) {
            out.putInt(HeaderType.ERROR).putInt(HeaderType.CHUNK_ERROR);
        } else {
            out.putInt(HeaderType.DONE);
        }
    }

    private static void encode(ChunkLists chunks, ByteBuffer out) {
        if (chunks.isEmpty()) {
            out.putInt(0).putLong(0);
            return;
        }
        for (int i = 0; i < chunks.reads().size(); i++) {
            ReadSegment read = chunks.reads().get(i);
            encode(read.target(), out.putInt(1).putInt((int) read.position()));
        }
        out.putInt(0);
        for (int i = 0; i < chunks.writes().size(); i++) {
            encode(chunks.writes().get(i), out.putInt(1));
        }
        out.putInt(0);
        Optional<WriteChunk> reply = chunks.reply();
        out.putInt(reply.isPresent() ? 1 : 0);
        reply.ifPresent(chunk -> encode(chunk, out));
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
     * Whether a header has this version or is an error, which is the same in all versions. The decoder's position does
     * not change.
     *
     * @throws XdrException if there are fewer than {@link FixedFields#SIZE} bytes
     */
    public static boolean isReadable(XdrDecoder in) throws XdrException {
        return in.peekInt(4) == VERSION || in.peekInt(12) == HeaderType.ERROR;
    }

    /**
     * Reads a header. The decoder's position is then that of the RPC message.
     *
     * @param in a decoder at a header that {@link #isReadable}
     * @throws XdrException if the header is truncated or malformed
     */
    public static Header decode(XdrDecoder in) throws XdrException {
        int xid = in.readInt();
        in.readInt();
        long credits = in.readUnsignedInt();
        int type = in.readInt();
        return switch (type) {
            case HeaderType.MESSAGE -> new Header.Message(xid, credits, lists(in));
            case HeaderType.NO_MESSAGE -> new Header.NoMessage(xid, credits, lists(in));
            case HeaderType.PADDED_MESSAGE -> {
                // Alignment and threshold are ignored, as RFC 8166 section 4.6.1 allows.
                in.readInt();
                in.readInt();
                yield new Header.Message(xid, credits, lists(in));
            }
            case HeaderType.DONE -> new Header.Done(xid, credits);
            case HeaderType.ERROR -> error(xid, credits, in);
            default ->
                throw in.malformed(
                        "the header has type " + Integer.toUnsignedString(type) + ", which version 1 does not define");
        };
    }

    private static Header error(int xid, long credits, XdrDecoder in) throws XdrException {
        int error = in.readInt();
        return switch (error) {
            case HeaderType.VERSION_ERROR ->
                new Header.VersionError(xid, credits, in.readUnsignedInt(), in.readUnsignedInt());
            case HeaderType.CHUNK_ERROR -> new Header.ChunkError(xid, credits);
            default ->
                throw in.malformed("RDMA_ERROR with error " + Integer.toUnsignedString(error)
                        + ", which version 1 does not define");
        };
    }

    private static ChunkLists lists(XdrDecoder in) throws XdrException {
        if (in.remaining() >= 3 * Integer.BYTES && (in.peekInt(0) | in.peekInt(4) | in.peekInt(8)) == 0) {
            in.readInt();
            in.readHyper();
            return ChunkLists.EMPTY;
        }
        List<ReadSegment> reads = list(in, HeaderCodec::readSegment);
        List<WriteChunk> writes = list(in, HeaderCodec::writeChunk);
        Optional<WriteChunk> reply = in.readBoolean() ? Optional.of(writeChunk(in)) : Optional.empty();
        return new ChunkLists(reads, writes, reply);
    }

    /** Most lists have one element or none. */
    private static <T> List<T> list(XdrDecoder in, XdrReader<T> reader) throws XdrException {
        if (!in.readBoolean()) {
            return List.of();
        }
        T first = reader.read(in);
        if (!in.readBoolean()) {
            return List.of(first);
        }
        List<T> elements = new ArrayList<>();
        elements.add(first);
        do {
            elements.add(reader.read(in));
        } while (in.readBoolean());
        return elements;
    }

    private static ReadSegment readSegment(XdrDecoder in) throws XdrException {
        return new ReadSegment(in.readUnsignedInt(), segment(in));
    }

    private static WriteChunk writeChunk(XdrDecoder in) throws XdrException {
        return new WriteChunk(in.readArray(XdrDecoder.UNBOUNDED, SEGMENT_BYTES, HeaderCodec::segment));
    }

    private static RemoteSegment segment(XdrDecoder in) throws XdrException {
        int stag = in.readInt();
        long length = in.readUnsignedInt();
        return new RemoteSegment(stag, in.readUnsignedHyper(), length);
    }
}
