// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.util.List;
import java.util.Optional;
import org.emplace.rdma.RemoteSegment;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;

/** Encodes and decodes headers of version 1. */
final class HeaderCodec {
    /** The version of the protocol. */
    static final int VERSION = 1;

    private HeaderCodec() {}

    static void encode(Header header, XdrEncoder out) {
        out.writeInt(header.xid());
        out.writeInt(VERSION);
        out.writeUnsignedInt(header.credits());
        if (header instanceof Header.Message message) {
            out.writeInt(0);
            chunks(message.chunks(), out);
        } else if (header instanceof Header.NoMessage message) {
            out.writeInt(1);
            chunks(message.chunks(), out);
        } else if (header instanceof Header.Done) {
            out.writeInt(3);
        } else if (header instanceof Header.VersionError error) {
            out.writeInt(4);
            out.writeInt(1);
            out.writeUnsignedInt(error.low());
            out.writeUnsignedInt(error.high());
        } else if (header instanceof Header.ChunkError) {
            out.writeInt(4);
            out.writeInt(2);
        }
    }

    static Header decode(XdrDecoder in) throws XdrException {
        int xid = in.readInt();
        in.readInt();
        long credits = in.readUnsignedInt();
        int type = in.readInt();
        return switch (type) {
            case 0 -> new Header.Message(xid, credits, chunks(in));
            case 1 -> new Header.NoMessage(xid, credits, chunks(in));
            case 2 -> {
                in.readHyper();
                yield new Header.Message(xid, credits, chunks(in));
            }
            case 3 -> new Header.Done(xid, credits);
            case 4 -> error(xid, credits, in);
            default -> throw in.malformed("unknown message type " + type);
        };
    }

    private static Header error(int xid, long credits, XdrDecoder in) throws XdrException {
        int error = in.readInt();
        return switch (error) {
            case 1 -> new Header.VersionError(xid, credits, in.readUnsignedInt(), in.readUnsignedInt());
            case 2 -> new Header.ChunkError(xid, credits);
            default -> throw in.malformed("unknown RDMA_ERROR code " + error);
        };
    }

    private static void chunks(ChunkLists lists, XdrEncoder out) {
        out.writeLinkedList(lists.reads(), (to, read) -> {
            to.writeUnsignedInt(read.position());
            segment(to, read.target());
        });
        out.writeLinkedList(lists.writes(), HeaderCodec::writeChunk);
        out.writeOptional(lists.reply(), HeaderCodec::writeChunk);
    }

    private static void writeChunk(XdrEncoder out, WriteChunk chunk) {
        out.writeArray(chunk.segments(), HeaderCodec::segment);
    }

    private static void segment(XdrEncoder out, RemoteSegment segment) {
        out.writeInt(segment.stag());
        out.writeUnsignedInt(segment.length());
        out.writeUnsignedHyper(segment.offset());
    }

    private static ChunkLists chunks(XdrDecoder in) throws XdrException {
        List<ReadSegment> reads = in.readLinkedList(from -> new ReadSegment(from.readUnsignedInt(), segment(from)));
        List<WriteChunk> writes = in.readLinkedList(HeaderCodec::writeChunk);
        Optional<WriteChunk> reply = in.readOptional(HeaderCodec::writeChunk);
        return new ChunkLists(reads, writes, reply);
    }

    private static WriteChunk writeChunk(XdrDecoder in) throws XdrException {
        return new WriteChunk(in.readArray(0xffffffffL, 16, HeaderCodec::segment));
    }

    private static RemoteSegment segment(XdrDecoder in) throws XdrException {
        int stag = in.readInt();
        long length = in.readUnsignedInt();
        return new RemoteSegment(stag, in.readUnsignedHyper(), length);
    }
}
