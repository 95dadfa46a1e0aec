// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.rdma.MemorySegment;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.message.MessageType;
import org.emplace.rpc.transport.CallCounters;
import org.emplace.rpc.transport.DestinationItems;
import org.emplace.rpc.transport.PendingCall;
import org.emplace.rpcrdma.header.ChunkLists;
import org.emplace.rpcrdma.header.Header;
import org.emplace.rpcrdma.header.HeaderCodec;
import org.emplace.rpcrdma.header.WriteChunk;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrException;

/** Completes a claimed call whose memory is fenced, by the reply that came for it. */
final class ReplyReader {
    private final OutgoingCall outgoing;
    private final PendingCall<?, ?> call;
    private final CallCounters counters;

    ReplyReader(OutgoingCall outgoing) {
        this.outgoing = outgoing;
        this.call = outgoing.call();
        this.counters = call.counters();
    }

    /**
     * Completes the call.
     *
     * @param body at what follows the header
     */
    void read(Header header, XdrDecoder body) {
        try {
            if (header instanceof Header.Message message) {
                complete(inline(message.chunks(), body), message.chunks());
            } else if (header instanceof Header.NoMessage message) {
                complete(replyChunk(message.chunks()), message.chunks());
            } else if (header instanceof Header.VersionError error) {
                call.fail(
                        Kind.PROTOCOL_MISMATCH,
                        "the peer speaks versions " + error.low() + " to " + error.high() + " of RPC-over-RDMA, not "
                                + HeaderCodec.VERSION + " (ERR_VERS)");
            } else {
                call.fail(
                        Kind.PROTOCOL_MISMATCH,
                        "the peer could not use the call's chunks, or not fit its reply into them (ERR_CHUNK);"
                                + " a call may be larger than the messages that it accepts");
            }
        } catch (XdrException malformed) {
            call.fail(Kind.BAD_REPLY, "bad reply: " + malformed.getMessage(), malformed);
        }
    }

    private void complete(XdrDecoder message, ChunkLists returned) throws XdrException {
        if (!returned.reads().isEmpty()) {
            throw new XdrException("the reply has a Read list");
        }
        if (message.remaining() < MessageType.MINIMUM_LENGTH || message.peekInt(0) != call.xid()) {
            throw new XdrException("the RPC message is not the reply that its header says it is");
        }
        call.complete(message, results(returned));
    }

    private EligibleItems results(ChunkLists returned) throws XdrException {
        List<Long> placed = placed(returned);
        if (!call.procedure().binding().resultsEligible()) {
            return EligibleItems.ALL_INLINE;
        }
        DestinationItems inline = new DestinationItems(call.destinations(), counters);
        return new ReplyItems(outgoing.results(), placed, inline, counters);
    }

    private XdrDecoder inline(ChunkLists returned, XdrDecoder body) throws XdrException {
        if (returned.reply().map(WriteChunk::length).orElse(0L) > 0) {
            throw new XdrException("RDMA_MSG with a Reply chunk that was used");
        }
        counters.inline(body.remaining());
        return body;
    }

    private XdrDecoder replyChunk(ChunkLists returned) throws XdrException {
        Optional<MemorySegment> offered = outgoing.replyChunk();
        Optional<WriteChunk> used = returned.reply();
        if (offered.isEmpty() || used.isEmpty()) {
            throw new XdrException("RDMA_NOMSG without a Reply chunk");
        }
        long length = checked(used.get(), offered.get().length(), "the Reply chunk");
        counters.replyChunk(length);
        return new XdrDecoder(offered.get().buffer().limit((int) length));
    }

    /** The bytes that the reply says are in each Write chunk that was offered. */
    private List<Long> placed(ChunkLists returned) throws XdrException {
        List<ResultChunk> offered = outgoing.results();
        List<WriteChunk> writes = returned.writes();
        if (writes.size() > offered.size()) {
            throw new XdrException(writes.size() + " Write chunks came back, " + offered.size() + " were offered");
        }
        if (offered.isEmpty()) {
            return List.of();
        }
        List<Long> lengths = new ArrayList<>(offered.size());
        for (int i = 0; i < offered.size(); i++) {
            // Some servers leave out the chunks that they did not use, or their segments.
            boolean returnedIt = i < writes.size() && !writes.get(i).segments().isEmpty();
            lengths.add(returnedIt ? checked(writes.get(i), offered.get(i).room(), "Write chunk " + i) : 0L);
        }
        return lengths;
    }

    private static long checked(WriteChunk returned, int room, String what) throws XdrException {
        if (returned.segments().size() != 1) {
            throw new XdrException(
                    what + " came back with " + returned.segments().size() + " segments, 1 was offered");
        }
        if (returned.length() > room) {
            throw new XdrException(
                    what + " came back with " + returned.length() + " bytes, there was room for " + room);
        }
        return returned.length();
    }
}
