// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import java.util.List;
import java.util.Optional;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rpc.ResultPlaces;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.client.CallCounters;
import org.emplace.rpc.client.PendingCall;
import org.emplace.rpc.client.ResultItems;
import org.emplace.rpc.message.MessageHeader.ReplyHeader;
import org.emplace.rpcrdma.header.ChunkLists;
import org.emplace.rpcrdma.header.ChunkLists.WriteChunk;
import org.emplace.rpcrdma.header.Header;
import org.emplace.rpcrdma.header.HeaderCodec;
import org.emplace.rpcrdma.link.ReceivedMessage;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the reply to one call: checks it on arrival, and {@linkplain #run decodes} it when the call is claimed and its memory fenced. The n-th
 * eligible result is in the n-th Write chunk; further ones are in the message.
 */
final class ReplyReader<R> extends ResultItems<R> implements Runnable {
    /** The index of the Reply chunk, as opposed to those of Write chunks. */
    private static final int REPLY_CHUNK = -1;

    private final OutgoingCall outgoing;
    private final Header header;
    private final ReceivedMessage reply;

    /** The decoder, positioned at the RPC message if there is one. */
    private XdrDecoder message;

    private @Nullable XdrException malformed;

    private ReplyReader(OutgoingCall outgoing, Header header, ReceivedMessage reply) {
        this.outgoing = outgoing;
        this.header = header;
        this.reply = reply;
        this.message = reply.decoder();
        try {
            if (header instanceof Header.Message inline) {
                requireNoReplyChunk(inline.chunks());
                check(inline.chunks());
            } else if (header instanceof Header.NoMessage inChunk) {
                message = replyChunk(inChunk.chunks());
                check(inChunk.chunks());
            }
        } catch (XdrException wrong) {
            malformed = wrong;
        }
    }

    /**
     * Checks a reply.
     *
     * @param reply with its decoder positioned after the header; released by {@link #run}
     */
    static ReplyReader<?> of(OutgoingCall outgoing, Header header, ReceivedMessage reply) {
        return new ReplyReader<Object>(outgoing, header, reply);
    }

    /**
     * Whether the reply is valid: its chunk lists match the call's, and the message begins with an RPC reply to the
     * call. Does not check the results.
     */
    boolean isValid() {
        return malformed == null;
    }

    /** Completes the call, and releases what it and the reply hold. */
    @Override
    public void run() {
        try {
            complete();
        } finally {
            reply.release();
            outgoing.release();
        }
    }

    @Override
    protected ResultPlaces<R> places() {
        return call().places();
    }

    @Override
    protected CallCounters counters() {
        return outgoing.call().counters();
    }

    @SuppressWarnings("unchecked") // Results of this type come from the call alone.
    private PendingCall<?, R> call() {
        return (PendingCall<?, R>) outgoing.call();
    }

    private void complete() {
        PendingCall<?, R> call = call();
        if (malformed != null) {
            call.fail(Kind.BAD_REPLY, "bad reply: " + malformed.getMessage(), malformed);
        } else if (header instanceof Header.VersionError error) {
            call.fail(
                    Kind.PROTOCOL_MISMATCH,
                    "the peer speaks versions " + error.low() + " to " + error.high() + " of RPC-over-RDMA, not "
                            + HeaderCodec.VERSION + " (ERR_VERS)");
        } else if (header instanceof Header.ChunkError) {
            call.fail(
                    Kind.CHUNK_ERROR,
                    "the peer could not use the call's chunks (ERR_CHUNK): the call is longer than the messages that it"
                            + " accepts, or the results are longer than the memory offered for them; destinations, a size"
                            + " in the arguments or, without either, CallOptions.withUnboundedReplySize determine what a call"
                            + " offers");
        } else {
            count(message.remaining());
            call.complete(message, this);
        }
    }

    private void check(ChunkLists returned) throws XdrException {
        if (!returned.reads().isEmpty()) {
            throw new XdrException("the reply has a Read list");
        }
        if (message.peekInt(0) != outgoing.xid()) {
            throw new XdrException("the RPC message is not the reply that its header says it is");
        }
        ReplyHeader.check(message);
        takeLengths(returned);
    }

    private void count(int bytes) {
        if (header instanceof Header.Message) {
            counters().inline(bytes);
        } else {
            counters().replyChunk(bytes);
        }
    }

    @Override
    protected @Nullable Landed landed(int n, long length) throws XdrException {
        if (n >= outgoing.results().size()) {
            return null;
        }
        ResultChunk chunk = outgoing.results().get(n);
        int present = chunk.length();
        if (length != UNKNOWN_LENGTH && present != length && present != EncodedMessage.roundUp(length)) {
            throw new XdrException(
                    "Write chunk " + n + " came back with " + present + " bytes for a result of " + length);
        }
        counters().writeChunk(present);
        if (length != UNKNOWN_LENGTH) {
            chunk.landed((int) length);
        }
        return chunk;
    }

    private static void requireNoReplyChunk(ChunkLists returned) throws XdrException {
        if (returned.reply().map(WriteChunk::length).orElse(0L) > 0) {
            throw new XdrException("RDMA_MSG with a Reply chunk that was used");
        }
    }

    private XdrDecoder replyChunk(ChunkLists returned) throws XdrException {
        Optional<MemorySegment> offered = outgoing.replyChunk();
        Optional<WriteChunk> used = returned.reply();
        if (offered.isEmpty() || used.isEmpty()) {
            throw new XdrException("RDMA_NOMSG without a Reply chunk");
        }
        long length = checked(used.get(), 1, offered.get().length(), REPLY_CHUNK);
        return new XdrDecoder(offered.get().buffer().limit((int) length));
    }

    /** Tells each Write chunk the number of bytes that it holds. */
    private void takeLengths(ChunkLists returned) throws XdrException {
        List<ResultChunk> offered = outgoing.results();
        List<WriteChunk> writes = returned.writes();
        if (writes.size() > offered.size()) {
            throw new XdrException(writes.size() + " Write chunks came back, " + offered.size() + " were offered");
        }
        for (int i = 0; i < offered.size(); i++) {
            // Some servers do not return unused chunks, or return them without segments.
            boolean returnedIt = i < writes.size() && !writes.get(i).segments().isEmpty();
            offered.get(i).landed(returnedIt ? (int) checked(writes.get(i), offered.get(i), i) : 0);
        }
    }

    private static long checked(WriteChunk returned, ResultChunk offered, int index) throws XdrException {
        long length = checked(returned, offered.segments(), offered.room(), index);
        long left = length;
        for (int i = 0; i < offered.segments(); i++) {
            long used = returned.segments().get(i).length();
            int room = offered.segment(i).length();
            left -= used;
            if (used > room || (left > 0 && used < room)) {
                throw new XdrException(name(index) + " came back with " + length + " bytes, " + used
                        + " of them in segment " + i + " of " + room + ": segments must be filled one after the other");
            }
        }
        return length;
    }

    private static long checked(WriteChunk returned, int segments, int room, int index) throws XdrException {
        if (returned.segments().size() != segments) {
            throw new XdrException(
                    name(index) + " came back with " + returned.segments().size() + " segments, " + segments
                            + (segments == 1 ? " was" : " were") + " offered");
        }
        if (returned.length() > room) {
            throw new XdrException(
                    name(index) + " came back with " + returned.length() + " bytes, there was room for " + room);
        }
        return returned.length();
    }

    private static String name(int index) {
        return index == REPLY_CHUNK ? "the Reply chunk" : "Write chunk " + index;
    }
}
