// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.WorkRequest;
import org.emplace.reactor.IntTable;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.client.CallQueue;
import org.emplace.rpc.client.PendingCall;
import org.emplace.rpc.client.PendingCalls;
import org.emplace.rpc.transport.ConnectionRole;
import org.emplace.rpc.transport.RpcTransport.RemotePayload;
import org.emplace.rpcrdma.header.Header;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.link.ReceivedMessage;
import org.emplace.rpcrdma.requester.CallForm.ReplyProvision;
import org.jspecify.annotations.Nullable;

/**
 * The requester of a connection: decides the form of every call, sends calls within the credits, and matches replies. A
 * call that is given up keeps its credit until its late reply, because the responder still processes it. A call that
 * waits for a credit holds no memory of the transport. Safe for use by several threads.
 */
public final class Requester implements CallQueue.Sender, PendingCalls.Aborter {
    private static final System.Logger LOG = System.getLogger(Requester.class.getName());

    /** The grant of a reply whose credits are ignored. */
    private static final long UNKNOWN_GRANT = -1;

    private final Link link;
    private final boolean forward;
    private final Credits credits;
    private final PendingCalls pending;
    private final CallQueue queue;

    /** The calls that have been sent and have no reply, including those that have been given up. */
    private final IntTable<OutgoingCall> awaitingReply = new IntTable<>();

    private boolean over;

    /** Creates the requester of an established connection. */
    public Requester(Link link, ConnectionRole role) {
        this.link = link;
        this.forward = role.initiated();
        this.credits = new Credits(role.creditsToAskFor());
        this.queue = new CallQueue(this, link.callbacks());
        this.pending = new PendingCalls(
                link.name(),
                role.options().observer(),
                role.options().maxMessage(),
                link.time(),
                this,
                link,
                link.callbacks(),
                forward);
    }

    /** The pending calls. Open a call there before {@link #call}. */
    public PendingCalls pending() {
        return pending;
    }

    /** Sends an open call, when it has a credit; see {@link org.emplace.rpc.RpcConnection#call}. */
    public <R> RpcCall<R> call(PendingCall<?, R> opened) {
        queue.add(opened);
        return opened;
    }

    /** See {@link org.emplace.rpc.transport.RpcTransport.Connection#hasCredit}. */
    public synchronized boolean hasCredit() {
        return !over && credits.isLeft();
    }

    /** See {@link PendingCalls#idleNanos}. */
    public long idleNanos() {
        return pending.idleNanos();
    }

    /**
     * Handles a message other than a call. Takes ownership of it.
     *
     * @return whether it is the reply to a call, which may have been given up meanwhile
     */
    public boolean replied(Header header, ReceivedMessage reply) {
        int xid = header.xid();
        OutgoingCall call = replied(xid);
        if (call == null) {
            reply.release();
            LOG.log(System.Logger.Level.DEBUG, "{0}: dropped a reply for which no call waits", link.name());
            return false;
        }
        boolean isWanted = pending.claim(xid) != null;
        boolean isHandedOver = false;
        try {
            // The reply to a call that has been given up may be in memory that already belongs to another call.
            boolean isReadable = isWanted || !(header instanceof Header.NoMessage);
            ReplyReader<?> reader = isReadable ? ReplyReader.of(call, header, reply) : null;
            restoreCredit(reader != null && reader.isValid() ? header.credits() : UNKNOWN_GRANT);
            if (reader != null && isWanted) {
                complete(call, reader);
                isHandedOver = true;
            }
        } catch (RuntimeException | Error broken) {
            if (isWanted) {
                failFenced(call, Kind.NO_RESOURCES, "its reply cannot be handled: " + broken, broken);
            }
            throw broken;
        } finally {
            if (!isHandedOver) {
                reply.release();
            }
        }
        return true;
    }

    /** Completes the call by the reader, which then owns the reply, when its memory is fenced. */
    private void complete(OutgoingCall call, ReplyReader<?> reader) {
        CompletionStage<Void> fenced = call.fence();
        if (fenced == RemoteAccess.FENCED) {
            pending.ready(call.call(), reader);
        } else {
            fenced.whenCompleteAsync(
                    (done, failure) -> reader.run(), work -> call.call().completeBy(work, link.callbacks()));
        }
    }

    /** Called when all replies that arrived together have been handled. */
    public void repliedAll() {
        pending.handOver();
    }

    /**
     * Handles a reply with a malformed header: it ends its call, but its credits are ignored (RFC 8166 section 3.3.3).
     *
     * @return whether there is such a call
     */
    public boolean repliedMalformed(int xid, String why) {
        OutgoingCall call = replied(xid);
        if (call == null) {
            return false;
        }
        restoreCredit(UNKNOWN_GRANT);
        if (pending.claim(xid) != null) {
            failFenced(call, Kind.BAD_REPLY, "bad reply: " + why, null);
        }
        return true;
    }

    /** Called when the connection is over: fails all calls. */
    public void disconnected(String why) {
        synchronized (this) {
            over = true;
        }
        pending.disconnected(Kind.DISCONNECTED, why);
    }

    /** Removes the call to which a reply belongs, even if it has been given up. Returns null if there is none. */
    private synchronized @Nullable OutgoingCall replied(int xid) {
        return awaitingReply.remove(xid);
    }

    private void restoreCredit(long granted) {
        synchronized (this) {
            // This must happen before another call can consume the credit and expect its reply.
            link.receives().replyCame();
            if (granted != UNKNOWN_GRANT) {
                credits.granted(granted);
            }
            credits.restore();
        }
        queue.creditsChanged();
    }

    @Override
    public synchronized boolean consumeCredit(PendingCall<?, ?> call) {
        return !over && credits.consume();
    }

    /** Restores the credit of a call that was not sent. */
    private void restoreCredit() {
        synchronized (this) {
            credits.restore();
        }
        queue.creditsChanged();
    }

    /** Whether preparing a call may fetch payloads, or allocate or register memory, as far as can be told before it is encoded. */
    @Override
    public boolean mayBlock(PendingCall<?, ?> call) {
        ProcedureBinding<?, ?> binding = call.procedure().binding();
        try {
            return binding.argumentsEligible()
                    || (binding.resultsEligible() && !ResultChunk.areRegistered(call.places(), link.memory()))
                    || call.replyBound()
                                    + ReplyProvision.inMessage(
                                            call.places(), ReplyProvision.chunkLimit(binding, link.thresholds()))
                            > link.thresholds().receive()
                    || !link.memory().pool().hasFree(link.thresholds().send());
        } catch (RuntimeException | Error broken) {
            // The arguments do not suit the binding. Starting the call fails, and says why.
            return false;
        }
    }

    @Override
    public void send(PendingCall<?, ?> call) {
        try {
            OutgoingCall encoded = OutgoingCall.encode(call, link, forward);
            CompletionStage<?> fetches = fetchPayloads(encoded);
            if (fetches == null) {
                send(encoded);
            } else {
                fetches.whenCompleteAsync((done, failure) -> send(encoded), link.callbacks());
            }
        } catch (RpcException unsendable) {
            call.giveUp(unsendable);
            restoreCredit();
        } catch (RuntimeException | Error broken) {
            call.giveUp(call.failure(Kind.GARBAGE_ARGS, "the arguments cannot be encoded: " + broken, broken));
            restoreCredit();
        }
    }

    private static @Nullable CompletionStage<?> fetchPayloads(OutgoingCall call) {
        try {
            return RemotePayload.fetchAll(call.message());
        } catch (RuntimeException | Error broken) {
            call.release();
            throw broken;
        }
    }

    private void send(OutgoingCall call) {
        if (!enter(call)) {
            call.release();
            restoreCredit();
            return;
        }
        try {
            List<MemorySegment> gather = call.prepare(credits.requested());
            WorkRequest send = new WorkRequest.Send(link.sends().newId(), gather, OptionalInt.empty());
            link.receives().expectReply();
            if (leaves(call)) {
                link.sends().post(send, call);
            } else {
                restoreCredit();
            }
        } catch (IOException | RuntimeException | Error refused) {
            if (pending.claim(call.xid()) != null) {
                failFenced(call, kindOf(refused), "cannot be sent: " + refused.getMessage(), refused);
            }
            restoreCredit();
        }
    }

    private static Kind kindOf(Throwable refused) {
        return refused instanceof RdmaException known && known.reason() == RdmaException.Reason.DISCONNECTED
                ? Kind.DISCONNECTED
                : Kind.NO_RESOURCES;
    }

    /** Attaches the call, unless it has been given up. From now on, giving it up revokes the access to its memory. */
    private synchronized boolean enter(OutgoingCall call) {
        boolean wanted = call.call().isWaiting();
        if (wanted) {
            call.call().attach(call);
        }
        return wanted;
    }

    /** Registers the call as sent, unless it has been given up meanwhile; then no reply is expected. Returns whether it is to be sent. */
    private boolean leaves(OutgoingCall call) {
        boolean leaves = false;
        try {
            synchronized (this) {
                if (call.call().isWaiting()) {
                    awaitingReply.putIfAbsent(call.xid(), call);
                    call.sending();
                    leaves = true;
                }
            }
        } finally {
            if (!leaves) {
                link.receives().replyCame();
            }
        }
        return leaves;
    }

    @Override
    public void failed(Throwable broken) {
        link.queuePair().close();
    }

    @Override
    public CompletionStage<Void> abort(PendingCall<?, ?> call) {
        try {
            return fence(call);
        } catch (RuntimeException | Error broken) {
            // Until it is fenced, the peer may have access to the call's memory.
            link.queuePair().reset();
            return fence(call);
        }
    }

    private CompletionStage<Void> fence(PendingCall<?, ?> call) {
        queue.remove(call);
        OutgoingCall aborted;
        synchronized (this) {
            aborted = (OutgoingCall) call.attachment();
        }
        return aborted == null ? RemoteAccess.FENCED : aborted.fence().thenRunAsync(aborted::release, link.callbacks());
    }

    private void failFenced(OutgoingCall call, Kind kind, String why, @Nullable Throwable cause) {
        call.fence()
                .whenCompleteAsync(
                        (fenced, failure) -> {
                            call.call().fail(kind, why, cause);
                            call.release();
                        },
                        link.callbacks());
    }

    /**
     * A requester's flow control (RFC 8166 section 3.3): one call until the first reply, then as many as the responder
     * grants, but never more than requested. If a grant is less than the calls in flight, it takes effect as these end. Not
     * safe for use by several threads.
     */
    static final class Credits {
        private final int requested;
        private int limit = 1;
        private int inFlight;

        /** @param requested the credits to request in every call: the most calls in flight */
        Credits(int requested) {
            this.requested = requested;
        }

        int requested() {
            return requested;
        }

        boolean isLeft() {
            return inFlight < limit;
        }

        /** Consumes a credit if there is one. */
        boolean consume() {
            if (!isLeft()) {
                return false;
            }
            inFlight++;
            return true;
        }

        /** Restores the credit of a call that has been replied to, or was not sent. */
        void restore() {
            inFlight--;
        }

        /** Sets the responder's latest grant. A grant of zero, which would be a deadlock, counts as one. */
        void granted(long credits) {
            limit = (int) Math.max(1, Math.min(credits, requested));
        }
    }
}
