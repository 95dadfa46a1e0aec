// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.WorkRequest;
import org.emplace.rpc.CallObserver;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.transport.CallQueue;
import org.emplace.rpc.transport.IntTable;
import org.emplace.rpc.transport.PendingCall;
import org.emplace.rpc.transport.PendingCalls;
import org.emplace.rpc.transport.RemotePayload;
import org.emplace.rpcrdma.header.FixedFields;
import org.emplace.rpcrdma.header.Header;
import org.emplace.rpcrdma.link.CallDirection;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.link.ReceivedMessage;
import org.jspecify.annotations.Nullable;

/**
 * The calling half of a connection: decides the form of every call, sends as many as there are credits for, and matches replies. A call that is given
 * up keeps its credit until its late reply, because the responder still works on it. A call that waits for a credit holds no memory of the transport.
 * Safe for use by several threads.
 */
public final class Requester {
    private static final System.Logger LOG = System.getLogger(Requester.class.getName());

    /** Stands for a grant that does not count. */
    private static final long UNKNOWN_GRANT = -1;

    private final Link link;
    private final CallDirection direction;
    private final Credits credits;
    private final PendingCalls pending;
    private final CallQueue queue;

    /** The calls that were sent and have no reply yet, those that were given up meanwhile too. */
    private final IntTable<OutgoingCall> awaitingReply = new IntTable<>();

    private boolean over;

    /**
     * The requester of an established connection.
     *
     * @param direction which way the calls go
     * @param credits what to ask for: no more calls than that are ever in flight
     * @param observer told of every call that ends
     */
    public Requester(Link link, CallDirection direction, int credits, CallObserver observer) {
        this.link = link;
        this.direction = direction;
        this.credits = new Credits(credits);
        this.queue = new CallQueue(this::takeCredit, this::start, link.callbacks());
        this.pending = new PendingCalls(
                link.name(), observer, link.time(), this::abort, link, direction == CallDirection.FORWARD);
    }

    /** The pending calls; a call is opened there before {@link #call}. */
    public PendingCalls pending() {
        return pending;
    }

    /** Sends a call that was opened once it has a credit. See {@link org.emplace.rpc.RpcConnection#call}. */
    public <R> RpcCall<R> call(PendingCall<?, R> opened) {
        queue.add(opened);
        return opened;
    }

    /** See {@link org.emplace.rpc.transport.TransportConnection#hasCredit}. */
    public synchronized boolean hasCredit() {
        return !over && credits.isLeft();
    }

    /** See {@link PendingCalls#idleNanos}. */
    public long idleNanos() {
        return pending.idleNanos();
    }

    /** A reply has come: anything but a call. Takes over the message. */
    public void replied(Header header, ReceivedMessage reply) {
        int xid = header.xid();
        OutgoingCall call = replied(xid);
        if (call == null) {
            LOG.log(System.Logger.Level.DEBUG, "{0}: dropped a reply to no call of ours", link.name());
            reply.release();
            return;
        }
        boolean isWanted = pending.claim(xid) != null;
        if (!isWanted && header instanceof Header.NoMessage) {
            // Its message may be in memory that already belongs to another call.
            takeCreditBack(UNKNOWN_GRANT);
            reply.release();
            return;
        }
        ReplyReader reader = new ReplyReader(call, header, reply);
        takeCreditBack(reader.isValid() ? header.credits() : UNKNOWN_GRANT);
        if (!isWanted) {
            reply.release();
            return;
        }
        CompletionStage<Void> fenced = call.fence();
        if (fenced == OutgoingCall.FENCED) {
            call.call().completeBy(reader, link.callbacks());
        } else {
            fenced.whenCompleteAsync(
                    (done, failure) -> reader.run(), work -> call.call().completeBy(work, link.callbacks()));
        }
    }

    /** A reply with a malformed header has arrived: it ends its call, but the credits that it grants do not count (RFC 8166 section 3.3.3). */
    public void repliedMalformed(FixedFields fields, String why) {
        OutgoingCall call = replied(fields.xid());
        if (call == null) {
            return;
        }
        takeCreditBack(UNKNOWN_GRANT);
        if (pending.claim(fields.xid()) != null) {
            failFenced(call, Kind.BAD_REPLY, "bad reply: " + why, null);
        }
    }

    /** The connection is over: fails all calls. */
    public void disconnected(String why) {
        synchronized (this) {
            over = true;
        }
        pending.end(Kind.DISCONNECTED, why);
    }

    /** Removes the call that a reply belongs to, given up or not; null if there is none. */
    private synchronized @Nullable OutgoingCall replied(int xid) {
        return awaitingReply.remove(xid);
    }

    private void takeCreditBack(long granted) {
        synchronized (this) {
            // This has to happen before another call can take the credit and expect its reply.
            link.receives().replyCame();
            if (granted != UNKNOWN_GRANT) {
                credits.granted(granted);
            }
            credits.giveBack();
        }
        queue.creditsChanged();
    }

    private synchronized boolean takeCredit(PendingCall<?, ?> call) {
        return !over && credits.take();
    }

    /** The call that held the credit was not sent. */
    private void giveCreditBack() {
        synchronized (this) {
            credits.giveBack();
        }
        queue.creditsChanged();
    }

    private void start(PendingCall<?, ?> call) {
        try {
            OutgoingCall encoded = OutgoingCall.encode(call, link, direction);
            if (RemotePayload.isIn(encoded.message())) {
                whenHere(encoded);
            } else {
                send(encoded);
            }
        } catch (RpcException unsendable) {
            call.giveUp(unsendable);
            giveCreditBack();
        } catch (RuntimeException | Error broken) {
            call.giveUp(call.failure(Kind.GARBAGE_ARGS, "the arguments cannot be encoded: " + broken, broken));
            giveCreditBack();
        }
    }

    private void whenHere(OutgoingCall call) {
        try {
            RemotePayload.whenHere(call.message(), () -> send(call), link.callbacks());
        } catch (RuntimeException | Error broken) {
            call.ended();
            throw broken;
        }
    }

    private void send(OutgoingCall call) {
        if (!enter(call)) {
            call.ended();
            giveCreditBack();
            return;
        }
        try {
            List<MemorySegment> gather = call.prepare(credits.requested());
            link.receives().expectReply();
            if (leaves(call)) {
                long id = link.sends().newId();
                link.sends().post(new WorkRequest.Send(id, gather, OptionalInt.empty()), call);
            } else {
                link.receives().replyCame();
                giveCreditBack();
            }
        } catch (IOException | RuntimeException | Error refused) {
            if (pending.claim(call.xid()) != null) {
                failFenced(call, kindOf(refused), "cannot be sent: " + refused.getMessage(), refused);
            }
            giveCreditBack();
        }
    }

    private static Kind kindOf(Throwable refused) {
        return refused instanceof RdmaException known && known.reason() == RdmaException.Reason.DISCONNECTED
                ? Kind.DISCONNECTED
                : Kind.NO_RESOURCES;
    }

    /** From here on, giving the call up revokes what it exposes, once it has been prepared. */
    private synchronized boolean enter(OutgoingCall call) {
        boolean wanted = call.call().isWaiting();
        if (wanted) {
            call.call().attach(call);
        }
        return wanted;
    }

    /** Whether the call is sent: nobody has given it up while it was prepared. */
    private synchronized boolean leaves(OutgoingCall call) {
        boolean wanted = call.call().isWaiting();
        if (wanted) {
            awaitingReply.putIfAbsent(call.xid(), call);
            call.sending();
        }
        return wanted;
    }

    /** See {@link PendingCalls.Aborter}. */
    private CompletionStage<Void> abort(PendingCall<?, ?> call) {
        queue.remove(call);
        OutgoingCall aborted;
        synchronized (this) {
            aborted = (OutgoingCall) call.attachment();
        }
        return aborted == null
                ? CompletableFuture.runAsync(() -> {}, link.callbacks())
                : aborted.fence().thenRunAsync(aborted::ended, link.callbacks());
    }

    private void failFenced(OutgoingCall call, Kind kind, String why, @Nullable Throwable cause) {
        call.fence()
                .whenCompleteAsync(
                        (fenced, failure) -> {
                            call.call().fail(kind, why, cause);
                            call.ended();
                        },
                        link.callbacks());
    }
}
