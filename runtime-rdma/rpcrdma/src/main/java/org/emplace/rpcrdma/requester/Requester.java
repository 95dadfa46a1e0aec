// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rpc.CallObserver;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.Destination;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.transport.CallQueue;
import org.emplace.rpc.transport.PendingCall;
import org.emplace.rpc.transport.PendingCalls;
import org.emplace.rpcrdma.header.FixedFields;
import org.emplace.rpcrdma.link.CallDirection;
import org.emplace.rpcrdma.link.InboundMessage;
import org.emplace.rpcrdma.link.Link;
import org.jspecify.annotations.Nullable;

/**
 * The calling half of a connection: gives every call its form, sends as many as there are credits for, and matches replies. A call that is
 * given up keeps its credit until its late reply, since the responder still works on it. A call that waits for a credit holds no memory of
 * the transport's. Safe for use by several threads.
 */
public final class Requester {
    private static final System.Logger LOG = System.getLogger(Requester.class.getName());

    private final Link link;
    private final CallDirection direction;
    private final Credits credits;
    private final PendingCalls pending;
    private final CallQueue queue;

    /** The calls that are being prepared or were sent, and that nobody has claimed or given up. */
    private final Map<Integer, OutgoingCall> outgoing = new HashMap<>();

    private final Set<Integer> awaitingReply = new HashSet<>();
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
        this.pending = new PendingCalls(link.name(), observer, link.time(), this::abort);
    }

    /** See {@link org.emplace.rpc.RpcConnection#call}. */
    public <A, R> RpcCall<R> call(
            Procedure<A, R> procedure, A arguments, List<Destination> destinations, CallOptions options) {
        PendingCall<A, R> call = pending.open(procedure, arguments, destinations, options);
        queue.add(call);
        return call;
    }

    /** A reply has come: anything but a call. Takes over the message. */
    public void replied(InboundMessage reply) {
        int xid = reply.header().xid();
        if (!takeCreditBack(xid, OptionalLong.of(reply.header().credits()))) {
            LOG.log(System.Logger.Level.DEBUG, "{0}: dropped a reply to no call of ours", link.call(xid));
            reply.release();
            return;
        }
        if (pending.claim(xid) == null) {
            reply.release();
            return;
        }
        OutgoingCall outgoing = takeClaimed(xid);
        outgoing.fence()
                .whenCompleteAsync(
                        (fenced, failure) -> finish(outgoing, reply),
                        work -> outgoing.call().completeBy(work, link.callbacks()));
    }

    /** A reply has come whose header is malformed: it ends its call, but the credits it grants do not count (RFC 8166 section 3.3.1). */
    public void repliedMalformed(FixedFields fields, String why) {
        int xid = fields.xid();
        if (takeCreditBack(xid, OptionalLong.empty()) && pending.claim(xid) != null) {
            failFenced(takeClaimed(xid), Kind.BAD_REPLY, "bad reply: " + why, null);
        }
    }

    /** The connection is over: fails all calls. */
    public void disconnected(String why) {
        synchronized (this) {
            over = true;
        }
        pending.end(Kind.DISCONNECTED, why);
    }

    private boolean takeCreditBack(int xid, OptionalLong granted) {
        synchronized (this) {
            if (!awaitingReply.remove(xid)) {
                return false;
            }
            // Before another call can take the credit and expect its reply.
            link.receives().replyCame();
            granted.ifPresent(credits::granted);
            credits.giveBack();
        }
        queue.creditsChanged();
        return true;
    }

    private synchronized OutgoingCall takeClaimed(int xid) {
        OutgoingCall claimed = outgoing.remove(xid);
        if (claimed == null) {
            throw new IllegalStateException(link.call(xid) + " was claimed, but never sent");
        }
        return claimed;
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
            OutgoingCall encoded = CallPreparation.prepare(call, link, direction);
            encoded.whenArgumentsAreHere(() -> send(encoded), link.callbacks());
        } catch (RpcException unsendable) {
            call.giveUp(unsendable);
            giveCreditBack();
        } catch (RuntimeException | Error broken) {
            call.giveUp(call.failure(Kind.GARBAGE_ARGS, "the arguments cannot be encoded: " + broken, broken));
            giveCreditBack();
        }
    }

    private void send(OutgoingCall call) {
        if (!enter(call)) {
            call.ended();
            giveCreditBack();
            return;
        }
        try {
            List<MemorySegment> gather = call.prepare(
                    link.queuePair(), credits.requested(), link.thresholds().send());
            link.receives().expectReply();
            if (leaves(call)) {
                long batch = link.sends().newBatch();
                WorkRequest send = new WorkRequest.Send(batch, gather, OptionalInt.empty());
                link.sends().post(batch, List.of(send), end -> call.ended());
            } else {
                link.receives().replyCame();
                giveCreditBack();
            }
        } catch (IOException | RuntimeException | Error refused) {
            if (pending.claim(call.xid()) != null) {
                failFenced(
                        takeClaimed(call.xid()), Kind.NO_RESOURCES, "cannot be sent: " + refused.getMessage(), refused);
            }
            giveCreditBack();
        }
    }

    /** From here on who gives the call up finds it, and waits until it has been prepared. */
    private synchronized boolean enter(OutgoingCall call) {
        boolean wanted = call.call().isWaiting();
        if (wanted) {
            outgoing.put(call.xid(), call);
        }
        return wanted;
    }

    /** Whether the call is sent: nobody has given it up while it was prepared. */
    private synchronized boolean leaves(OutgoingCall call) {
        boolean wanted = outgoing.containsKey(call.xid());
        if (wanted) {
            awaitingReply.add(call.xid());
            call.sending();
        }
        return wanted;
    }

    /** See {@link org.emplace.rpc.transport.CallAborter}. */
    private CompletionStage<Void> abort(PendingCall<?, ?> call) {
        queue.remove(call);
        OutgoingCall aborted;
        synchronized (this) {
            aborted = outgoing.remove(call.xid());
        }
        return aborted == null
                ? CompletableFuture.runAsync(() -> {}, link.callbacks())
                : aborted.fence().thenRunAsync(aborted::ended, link.callbacks());
    }

    private void finish(OutgoingCall call, InboundMessage reply) {
        try {
            new ReplyReader(call).read(reply.header(), reply.body());
        } finally {
            reply.release();
            call.ended();
        }
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
