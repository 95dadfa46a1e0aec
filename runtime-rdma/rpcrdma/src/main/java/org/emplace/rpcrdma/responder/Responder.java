// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rpc.ServerCall;
import org.emplace.rpc.message.MessageHeader;
import org.emplace.rpc.message.MessageHeader.ReplyHeader;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpcrdma.header.ChunkLimits.Rules;
import org.emplace.rpcrdma.header.ChunkLists;
import org.emplace.rpcrdma.header.ChunkLists.ReadChunk;
import org.emplace.rpcrdma.header.ChunkLists.WriteChunk;
import org.emplace.rpcrdma.header.Header;
import org.emplace.rpcrdma.header.HeaderCodec;
import org.emplace.rpcrdma.header.HeaderCodec.HeaderSize;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.link.ReceivedMessage;
import org.emplace.rpcrdma.memory.OutgoingMessage;
import org.emplace.rpcrdma.memory.OutgoingMessage.Piece;
import org.emplace.rpcrdma.responder.ReplyForm.Gather;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.EncodedMessage.ChunkMark;
import org.emplace.xdr.XdrEncoder;
import org.jspecify.annotations.Nullable;

/**
 * The responder of a connection. Checks calls, fetches the messages of Long Calls, and passes calls to the dispatcher;
 * these methods are called on the provider's thread. Sends replies: RDMA Writes into the chunks, then a Send with the
 * header. Never blocks.
 */
public final class Responder {
    private static final System.Logger LOG = System.getLogger(Responder.class.getName());

    /** The most segments of a chunk's memory: no limit, because an RDMA Write gathers any number of pieces. */
    private static final int ANY_NUMBER = Integer.MAX_VALUE;

    private final Link link;
    private final ServerCall.Connection connection;
    private final ServiceDispatcher dispatcher;
    private final Rules rules;
    private final ChunkFetcher fetcher;
    private boolean closing;

    /**
     * Creates the responder of an established connection.
     *
     * @param connection the connection that handlers get
     * @param dispatcher answers the calls
     * @param rules the rules for the chunk lists of calls
     */
    public Responder(Link link, ServerCall.Connection connection, ServiceDispatcher dispatcher, Rules rules) {
        this.link = link;
        this.connection = connection;
        this.dispatcher = dispatcher;
        this.rules = rules;
        this.fetcher = new ChunkFetcher(link, rules.maxMessage());
    }

    Link link() {
        return link;
    }

    ServerCall.Connection connection() {
        return connection;
    }

    ChunkFetcher fetcher() {
        return fetcher;
    }

    /**
     * Handles an RDMA_MSG call. Takes ownership of the message.
     *
     * @return whether a handler answers the call
     */
    public boolean called(Header.Message header, ReceivedMessage received) {
        IncomingRdmaCall call = admit(header.xid(), header.credits(), header.chunks(), received);
        if (call == null) {
            return false;
        }
        try {
            Optional<String> broken = rules.brokenByMessage(header.chunks());
            if (broken.isEmpty()) {
                return dispatcher.dispatch(call);
            }
            refuse(call, broken.get());
        } catch (RuntimeException | Error failure) {
            call.stepFailed(failure);
        }
        return false;
    }

    /**
     * Handles an RDMA_NOMSG call. Takes ownership of the message.
     *
     * @return whether the call's message is fetched, for a handler to answer it
     */
    public boolean called(Header.NoMessage header, ReceivedMessage received) {
        IncomingRdmaCall call = admit(header.xid(), header.credits(), header.chunks(), received);
        if (call == null) {
            return false;
        }
        try {
            return fetches(header.chunks(), call);
        } catch (RuntimeException | Error failure) {
            call.stepFailed(failure);
            return false;
        }
    }

    /** Fetches the message of a Long Call, or refuses the call and returns false. */
    private boolean fetches(ChunkLists chunks, IncomingRdmaCall call) {
        Optional<String> broken = rules.brokenByNoMessage(chunks);
        if (broken.isPresent()) {
            refuse(call, broken.get());
            return false;
        }
        ReadChunk whole = chunks.reads().get(0);
        if (whole.length() < MessageHeader.MINIMUM_LENGTH) {
            refuse(call, "the Position Zero Read chunk is too short for a message");
            return false;
        } else if (link.memory().pool().hasFree((int) whole.length())) {
            fetchMessage(whole, call);
        } else {
            // Never registers memory on the thread that serves connections.
            call.elsewhere(() -> fetchMessage(whole, call));
        }
        return true;
    }

    /** Handles a message of another version of RPC-over-RDMA. */
    public void called(Header.OtherVersion header, ReceivedMessage received) {
        IncomingRdmaCall call = admit(header.xid(), header.credits(), ChunkLists.EMPTY, received);
        try {
            if (call != null) {
                refuseVersion(call);
            }
        } catch (RuntimeException | Error failure) {
            call.stepFailed(failure);
        }
    }

    /**
     * Answers a message whose header cannot be decoded, or that is not an RPC call with its header's xid. The answer is ERR_CHUNK, so that the
     * requester gets its credit back. The credits that the message requests are ignored (draft-ietf-nfsv4-rfc5666bis-01 sections 5.5 and 8.3.3).
     */
    public void calledMalformed(int xid, String why, ReceivedMessage received) {
        IncomingRdmaCall call = admit(xid, IncomingRdmaCall.NO_CREDITS, ChunkLists.EMPTY, received);
        try {
            if (call != null) {
                refuse(call, why);
            }
        } catch (RuntimeException | Error failure) {
            call.stepFailed(failure);
        }
    }

    /** Called when all calls that arrived together have been handled. */
    public void calledAll() {
        dispatcher.dispatchedAll();
    }

    /** Called when the connection is over. */
    public void disconnected() {
        fetcher.disconnected();
    }

    /** Admits a call. If the peer has exceeded its credits, closes the connection and returns null. */
    private @Nullable IncomingRdmaCall admit(
            int xid, long requestedCredits, ChunkLists chunks, ReceivedMessage received) {
        int requested = (int) Math.min(requestedCredits, Integer.MAX_VALUE);
        IncomingRdmaCall call = null;
        try {
            if (link.receives().credits().consume()) {
                call = new IncomingRdmaCall(this, received, xid, requested, chunks);
            } else {
                close("it exceeds its credits, or does not receive replies");
            }
        } finally {
            if (call == null) {
                received.release();
            }
        }
        return call;
    }

    /**
     * Closes the connection because of what its peer does. Idempotent.
     *
     * @param why what the peer does, for the log
     */
    public void close(String why) {
        if (!closing) {
            closing = true;
            link.lost()
                    .event(count -> LOG.log(
                            System.Logger.Level.WARNING,
                            "{0}: closed because of its peer: {1}; such connections so far: {2}",
                            link.name(),
                            why,
                            count));
            link.queuePair().close();
        }
    }

    /** Fetches the message of a Long Call. By the rules, the chunk is no longer than a message may be. */
    private void fetchMessage(ReadChunk whole, IncomingRdmaCall call) {
        CompletionStage<ByteBuffer> fetched = fetcher.fetchIntoPool(whole, (int) whole.length(), call);
        fetched.whenComplete((message, failure) -> {
            try {
                if (failure == null) {
                    messageIsHere(message, call);
                } else if (IncomingRdmaCall.isImpossible(failure)) {
                    refuse(call, "the Position Zero Read chunk is too long: " + failure.getMessage());
                } else {
                    call.release();
                }
            } catch (RuntimeException | Error broken) {
                // The stage would swallow it, and the peer would wait.
                call.stepFailed(broken);
            }
        });
    }

    private void messageIsHere(ByteBuffer message, IncomingRdmaCall call) {
        if (MessageHeader.of(message) == MessageHeader.CALL && MessageHeader.xidOf(message) == call.xid()) {
            call.messageFetched(message);
            dispatcher.dispatch(call);
            dispatcher.dispatchedAll();
        } else {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "{0}: rejected: the Position Zero Read chunk does not contain an RPC call with the xid of the header",
                    call);
            call.refuseMalformed();
        }
    }

    private void refuse(IncomingRdmaCall call, String why) {
        LOG.log(System.Logger.Level.DEBUG, "{0}: rejected: {1}", call, why);
        refuseChunks(call);
    }

    /**
     * Answers a call with a reply message, or with ERR_CHUNK if the message does not fit the call's chunks. If there is no
     * memory for it, ends the connection, so that the requester sends the call again.
     *
     * @param memory the memory of the encoded message, which belongs to the call
     */
    void reply(IncomingRdmaCall call, EncodedMessage message, OutgoingMessage memory) {
        // The results may have payloads that the application implements, which can fail in any way.
        try {
            if (!post(call, message, memory)) {
                LOG.log(
                        System.Logger.Level.DEBUG,
                        "{0}: the reply of {1} bytes fits neither inline nor in the chunks of the call",
                        call,
                        message.unreducedLength());
                refuseChunks(call);
            }
        } catch (IOException | RuntimeException | Error unsendable) {
            if (IncomingRdmaCall.isLackOfMemory(unsendable)) {
                disconnect(call, unsendable);
            } else {
                fail(call, unsendable);
            }
        }
    }

    /** Posts a reply. Returns false if it does not fit the call's chunks. */
    private boolean post(IncomingRdmaCall call, EncodedMessage message, OutgoingMessage memory) throws IOException {
        ChunkLists offered = call.chunks();
        int threshold = link.thresholds().send();
        if (offered.offerNothing() && HeaderSize.WITHOUT_CHUNKS + message.unreducedLength() <= threshold) {
            send(call, memory.inline(call.xid(), grant(call), message), invalidate(offered));
            return true;
        }
        ReplyForm form = ReplyForm.of(message, offered, call.xid(), grant(call), threshold);
        if (form == null) {
            return false;
        }
        int id = link.sends().newId();
        List<WorkRequest> work = work(id, form, message, memory, offered);
        call.answer(() -> link.sends().post(id, work, call));
        return true;
    }

    /** Answers a call with SYSTEM_ERR, because its results cannot be read. */
    private void fail(IncomingRdmaCall call, Throwable unsendable) {
        boolean defect = !(unsendable instanceof IOException || unsendable instanceof UncheckedIOException);
        link.unsendable()
                .event(count -> LOG.log(
                        System.Logger.Level.WARNING,
                        call + ": cannot send the reply, sent SYSTEM_ERR instead: " + unsendable
                                + "; such replies so far: " + count,
                        defect ? unsendable : null));
        try {
            OutgoingMessage memory = call.newMessage();
            XdrEncoder error = memory.encoder();
            ReplyHeader.PLAIN_SYSTEM_ERROR.encode(error, call.xid());
            if (!post(call, error.finish(), memory)) {
                refuseChunks(call);
            }
        } catch (IOException | RuntimeException | Error unanswerable) {
            disconnect(call, unanswerable);
        }
    }

    /** Ends the connection of a call that cannot be answered, and releases the call. */
    private void disconnect(IncomingRdmaCall call, Throwable lack) {
        try {
            link.endForLackOfMemory("a reply", lack);
        } finally {
            call.release();
        }
    }

    private void send(IncomingRdmaCall call, List<MemorySegment> gather, OptionalInt invalidate) {
        call.answer(new WorkRequest.Send(link.sends().newId(), gather, invalidate));
    }

    private List<WorkRequest> work(
            int id, ReplyForm form, EncodedMessage message, OutgoingMessage memory, ChunkLists offered)
            throws IOException {
        List<WorkRequest> work = new ArrayList<>(2);
        int next = 0;
        for (int i = 0; i < offered.writes().size() && next < form.placed().size(); i++) {
            WriteChunk chunk = offered.writes().get(i);
            if (!chunk.segments().isEmpty()) {
                ChunkMark item = form.placed().get(next++);
                Gather.write(memory.chunk(item, ANY_NUMBER), chunk, id, work);
            }
        }
        List<MemorySegment> sent;
        if (form.header() instanceof Header.NoMessage) {
            List<MemorySegment> rest = memory.chunk(Piece.of(message, form.placed()), ANY_NUMBER);
            Gather.write(rest, offered.reply().orElseThrow(), id, work);
            sent = memory.headerAlone(form.header());
        } else {
            sent = memory.inline(form.header(), message, form.placed());
        }
        work.add(new WorkRequest.Send(id, sent, invalidate(offered)));
        return work;
    }

    /** Answers with RDMA_ERROR and ERR_CHUNK. */
    void refuseChunks(IncomingRdmaCall call) {
        Header error = new Header.ChunkError(call.xid(), grant(call));
        call.answer(() -> sendAlone(error, call));
    }

    /** Answers with RDMA_ERROR and ERR_VERS. */
    private void refuseVersion(IncomingRdmaCall call) {
        Header error = new Header.VersionError(call.xid(), grant(call), HeaderCodec.VERSION, HeaderCodec.VERSION);
        call.answer(() -> sendAlone(error, call));
    }

    private int grant(IncomingRdmaCall call) {
        // A grant does not grow beyond what is asked for.
        int asked = dispatcher.isSlow(call.peer()) ? 0 : call.requestedCredits();
        return link.receives().credits().grant(asked);
    }

    /**
     * The STag to invalidate: that of all segments of the call, if there is only one and the peer permits invalidation.
     */
    private OptionalInt invalidate(ChunkLists offered) {
        if (offered.isEmpty()
                || !link.peerTakesInvalidation()
                || !link.queuePair().sendsInvalidate()) {
            return OptionalInt.empty();
        }
        return offered.onlyStag();
    }

    private void sendAlone(Header header, IncomingRdmaCall call) {
        WorkRequest send;
        try {
            List<MemorySegment> encoded = call.newMessage().headerAlone(header);
            send = new WorkRequest.Send(link.sends().newId(), encoded, OptionalInt.empty());
        } catch (IOException | RuntimeException | Error exhausted) {
            disconnect(call, exhausted);
            return;
        }
        link.sends().post(send, call);
    }
}
