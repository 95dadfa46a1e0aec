// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import java.util.List;
import java.util.Optional;
import org.emplace.rdma.RemoteSegment;
import org.emplace.rpcrdma.wire.Rpcrdma1Body;
import org.emplace.rpcrdma.wire.Rpcrdma1Chunks;
import org.emplace.rpcrdma.wire.Rpcrdma1ErrVers;
import org.emplace.rpcrdma.wire.Rpcrdma1Error;
import org.emplace.rpcrdma.wire.Rpcrdma1Msg;
import org.emplace.rpcrdma.wire.Rpcrdma1Proc;
import org.emplace.rpcrdma.wire.Rpcrdma1ReadList;
import org.emplace.rpcrdma.wire.Rpcrdma1ReadSegment;
import org.emplace.rpcrdma.wire.Rpcrdma1Segment;
import org.emplace.rpcrdma.wire.Rpcrdma1WriteChunk;
import org.emplace.rpcrdma.wire.Rpcrdma1WriteList;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;

/** Encodes and decodes headers of version 1, by the types that the compiler makes of {@code rpcrdma1.x}. */
public final class HeaderCodec {
    /** The version of the protocol. */
    public static final int VERSION = 1;

    private static final Rpcrdma1Chunks NO_CHUNKS = new Rpcrdma1Chunks(List.of(), List.of(), Optional.empty());

    private HeaderCodec() {}

    /** Appends a header to the stream. Send exactly these bytes in front of the message, or alone. */
    public static void encode(Header header, XdrEncoder out) {
        new Rpcrdma1Msg(Integer.toUnsignedLong(header.xid()), VERSION, header.credits(), body(header)).encode(out);
    }

    /**
     * Reads a header; the decoder then stands at the RPC message.
     *
     * @param in at a header whose {@link FixedFields} say that its version is {@link #VERSION}
     * @throws XdrException if the header is cut short or malformed
     */
    public static Header decode(XdrDecoder in) throws XdrException {
        Rpcrdma1Msg message = Rpcrdma1Msg.decode(in);
        int xid = (int) message.rdmaXid();
        long credits = message.rdmaCredit();
        return message.rdmaBody()
                .match(
                        withChunks -> withChunks.proc() == Rpcrdma1Proc.RDMA_MSG
                                ? new Header.Message(xid, credits, lists(withChunks.rdmaChunks()))
                                : new Header.NoMessage(xid, credits, lists(withChunks.rdmaChunks())),
                        aligned -> new Header.Message(
                                xid, credits, lists(aligned.rdmaMsgp().rdmaAchunks())),
                        done -> new Header.Done(xid, credits),
                        error -> error(xid, credits, error.rdmaError()));
    }

    private static Header error(int xid, long credits, Rpcrdma1Error error) {
        return error.match(
                versions -> new Header.VersionError(
                        xid,
                        credits,
                        versions.rdmaVersRange().rdmaVersLow(),
                        versions.rdmaVersRange().rdmaVersHigh()),
                chunk -> new Header.ChunkError(xid, credits));
    }

    private static Rpcrdma1Body body(Header header) {
        if (header instanceof Header.Message message) {
            return new Rpcrdma1Body.RdmaChunks(Rpcrdma1Proc.RDMA_MSG, chunks(message.chunks()));
        } else if (header instanceof Header.NoMessage message) {
            return new Rpcrdma1Body.RdmaChunks(Rpcrdma1Proc.RDMA_NOMSG, chunks(message.chunks()));
        } else if (header instanceof Header.VersionError error) {
            Rpcrdma1ErrVers versions = new Rpcrdma1ErrVers(error.low(), error.high());
            return new Rpcrdma1Body.RdmaError(new Rpcrdma1Error.RdmaVersRange(versions));
        } else if (header instanceof Header.ChunkError) {
            return new Rpcrdma1Body.RdmaError(new Rpcrdma1Error.RdmaErrChunk());
        }
        return new Rpcrdma1Body.RdmaDone();
    }

    private static ChunkLists lists(Rpcrdma1Chunks chunks) {
        if (chunks.rdmaReads().isEmpty()
                && chunks.rdmaWrites().isEmpty()
                && chunks.rdmaReply().isEmpty()) {
            return ChunkLists.EMPTY;
        }
        return new ChunkLists(
                chunks.rdmaReads().stream()
                        .map(entry -> read(entry.rdmaEntry()))
                        .toList(),
                chunks.rdmaWrites().stream()
                        .map(entry -> write(entry.rdmaEntry()))
                        .toList(),
                chunks.rdmaReply().map(HeaderCodec::write));
    }

    private static Rpcrdma1Chunks chunks(ChunkLists lists) {
        if (lists.isEmpty()) {
            return NO_CHUNKS;
        }
        List<Rpcrdma1ReadList> reads = lists.reads().stream()
                .map(read -> new Rpcrdma1ReadSegment(read.position(), segment(read.target())))
                .map(Rpcrdma1ReadList::new)
                .toList();
        List<Rpcrdma1WriteList> writes = lists.writes().stream()
                .map(HeaderCodec::write)
                .map(Rpcrdma1WriteList::new)
                .toList();
        return new Rpcrdma1Chunks(reads, writes, lists.reply().map(HeaderCodec::write));
    }

    private static ReadSegment read(Rpcrdma1ReadSegment entry) {
        return new ReadSegment(entry.rdmaPosition(), segment(entry.rdmaTarget()));
    }

    private static WriteChunk write(Rpcrdma1WriteChunk chunk) {
        return new WriteChunk(
                chunk.rdmaTarget().stream().map(HeaderCodec::segment).toList());
    }

    private static Rpcrdma1WriteChunk write(WriteChunk chunk) {
        return new Rpcrdma1WriteChunk(
                chunk.segments().stream().map(HeaderCodec::segment).toList());
    }

    private static RemoteSegment segment(Rpcrdma1Segment segment) {
        return new RemoteSegment((int) segment.rdmaHandle(), segment.rdmaOffset(), segment.rdmaLength());
    }

    private static Rpcrdma1Segment segment(RemoteSegment segment) {
        return new Rpcrdma1Segment(Integer.toUnsignedLong(segment.stag()), segment.length(), segment.offset());
    }
}
