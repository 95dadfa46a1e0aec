// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.QueuePairHandler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.Receives;
import org.emplace.rdma.provider.ConnectionCounters;
import org.emplace.rdma.provider.HandlerCalls;
import org.emplace.rdma.verbs.device.VerbsDevice;
import org.emplace.rdma.verbs.event.CompletionLoop;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.memory.RemoteAccessStrategy;
import org.jspecify.annotations.Nullable;

/**
 * A reliable connection from set-up to end: takes the completions of its {@link VerbsQueuePair}, calls the consumer's handler, and destroys its
 * native objects. Used on the loop.
 */
public final class VerbsConnection implements CompletionLoop.Source, VerbsDevice.User {
    private static final System.Logger LOG = System.getLogger(VerbsConnection.class.getName());
    private static final int COMPLETIONS_AT_A_TIME = 64;
    /** How long to wait for the reason when the queue pair has stopped without one. */
    private static final Duration GRACE = Duration.ofMillis(250);
    /** How long to wait for the device's event that all Receives taken from a shared receive queue have completed. rxe does not send it. */
    private static final Duration LAST_RECEIVE = Duration.ofMillis(20);

    private enum Phase {
        CONNECTING,
        ACTIVE,
        /** Stopped. The device may still complete Receives that it took from a shared receive queue. */
        ENDING,
        OVER
    }

    private final VerbsDevice device;
    private final ConnectionEnd end;
    private final RemoteAccessStrategy strategy;
    private final QueuePairHandler handler;
    private final NativeQueuePair nativeQueuePair;
    private final CompletionBuffer completions = new CompletionBuffer(COMPLETIONS_AT_A_TIME);
    private final SendNotification notification;
    private final VerbsQueuePair queuePair;
    private final @Nullable VerbsSharedReceives shared;
    private final IdleProbe idle;
    /** Receives that completed before the connection was established, when the handler could not be called yet. */
    private final List<NativeSharedReceiveQueue.Ended> early = new ArrayList<>();

    private Phase phase = Phase.CONNECTING;
    private @Nullable HandlerCalls calls;
    private boolean failing;
    private boolean receivesTaken;
    private boolean unpollable;
    private @Nullable RdmaException cause;

    private VerbsConnection(
            VerbsDevice device,
            ConnectionEnd end,
            RemoteAccessStrategy strategy,
            NativeQueuePair.Limits wanted,
            @Nullable VerbsSharedReceives shared,
            Duration keepAlive,
            QueuePairHandler handler)
            throws RdmaException {
        if (shared != null) {
            shared.requireOpen();
        }
        this.shared = shared;
        this.device = device;
        this.end = end;
        this.strategy = strategy;
        this.handler = handler;
        nativeQueuePair =
                NativeQueuePair.create(device, end.handle(), strategy.domain(), wanted, shared, this, completions);
        device.attach(this);
        if (shared != null) {
            shared.attach(this);
        }
        notification = new SendNotification(device.loop(), this, nativeQueuePair::armSends);
        queuePair = new VerbsQueuePair(
                end, nativeQueuePair, device.capabilities(), strategy, notification, shared != null, this);
        idle = new IdleProbe(device.loop(), keepAlive, queuePair::probe);
    }

    /**
     * Creates a connection in set-up, with a queue pair and its first Receives posted. {@link #abandon} ends it before it is {@link #established}.
     *
     * @param strategy the connection's own; it takes ownership, also if this throws
     * @param sends send requests that the device holds for the queue pair
     * @param inline inline data of a send request, in bytes
     * @param parameters its Receives are memory of this provider, or the shared receive queue that the listener offers
     * @throws RdmaException NO_RESOURCES if the device has no more resources, or memory cannot be pinned
     */
    public static VerbsConnection create(
            VerbsDevice device,
            ConnectionEnd end,
            RemoteAccessStrategy strategy,
            int sends,
            int inline,
            ConnectionParameters parameters,
            QueuePairHandler handler)
            throws RdmaException {
        VerbsConnection created;
        Receives receives = parameters.receives();
        int first = receives instanceof Receives.Own own ? own.capacity() : 0;
        NativeQueuePair.Limits wanted = NativeQueuePair.Limits.wanted(sends, first, inline);
        try {
            VerbsSharedReceives shared = receives instanceof VerbsSharedReceives queue ? queue : null;
            created = new VerbsConnection(device, end, strategy, wanted, shared, parameters.keepAlive(), handler);
        } catch (RdmaException | RuntimeException | Error e) {
            strategy.close();
            throw e;
        }
        RdmaException fault =
                created.queuePair.postFirst(receives instanceof Receives.Own own ? own.first() : List.of());
        if (fault != null) {
            created.abandon();
            throw fault;
        }
        device.loop().activate(created);
        return created;
    }

    /**
     * Starts an established connection.
     *
     * @param privateData of the peer
     * @param reads RDMA Reads that this side may have outstanding
     * @return the queue pair, which the handler already knows
     */
    public QueuePair established(byte[] privateData, int reads) {
        ConnectionCounters opened = device.counters().connectionOpened(end.localAddress(), end.remoteAddress());
        phase = Phase.ACTIVE;
        queuePair.established(privateData, reads, opened);
        LOG.log(Level.DEBUG, "{0}: established, {1} outbound Reads", this, reads);
        HandlerCalls established = new HandlerCalls(handler, opened, this, this::over);
        calls = established;
        established.established(queuePair);
        if (phase == Phase.ACTIVE) {
            device.loop().activate(this);
            // On iWARP a responder must not send before it has received (RFC 5044 section 7.1.2), so the probe starts
            // with the first completion.
            if (!device.capabilities().iwarp()) {
                idle.start();
            }
        }
        List<NativeSharedReceiveQueue.Ended> waited = List.copyOf(early);
        early.clear();
        if (!waited.isEmpty()) {
            received(waited);
        }
        if (cause != null) {
            over(cause);
        }
        return queuePair;
    }

    /** The handler's calls, of a connection that is or was established. */
    private HandlerCalls calls() {
        if (calls == null) {
            throw new IllegalStateException(this + ": not established");
        }
        return calls;
    }

    /**
     * Takes completed Receives of the shared queue. The peer may have answered a Send whose completion is still in the other queue, so that queue is
     * polled in the next turn without waiting for its event.
     */
    void received(List<NativeSharedReceiveQueue.Ended> receives) {
        if (phase == Phase.ACTIVE) {
            device.loop().activate(this);
        }
        if (phase == Phase.ACTIVE || phase == Phase.ENDING) {
            conclude(queuePair.received(receives));
        } else {
            early.addAll(receives);
        }
    }

    /** Ends a connection that could not be set up. The handler is not called. */
    public void abandon() {
        phase = Phase.OVER;
        queuePair.stopPosting();
        strategy.stop();
        if (shared != null) {
            // Destroying a queue pair removes its completions, and with them the shared queue's Receives that it took.
            end.disconnect();
            shared.drain();
        }
        destroyQueuePair();
        if (shared != null) {
            shared.drain();
            shared.repost(early);
            shared.detach(this);
        }
        strategy.close();
        device.detach(this);
    }

    /** The loop that serves the connection. */
    CompletionLoop loop() {
        return device.loop();
    }

    /** On any thread: the consumer closes the queue pair. */
    void close() {
        device.loop().execute(() -> over(null));
    }

    /** On any thread: ends the connection because nothing can be posted any more. */
    void failed(RdmaException fault) {
        device.loop().execute(() -> fail(new RdmaException(fault.reason(), this + ": " + fault.getMessage(), fault)));
    }

    /** Ends the connection for this reason, unless the device reports another. On iWARP that may come a little later. */
    private void fail(RdmaException fault) {
        device.asynchronousEvents();
        if (!device.capabilities().iwarp()) {
            over(fault);
        } else if (!failing) {
            failing = true;
            device.loop().schedule(GRACE, () -> over(fault));
        }
    }

    /** Ends the connection at once, because the provider closes. */
    public void shutDown() {
        over(null);
        finish();
    }

    /** The QP number. */
    int queuePairNumber() {
        return nativeQueuePair.number();
    }

    @Override
    public boolean owns(long nativeHandle) {
        return nativeQueuePair.isOf(nativeHandle);
    }

    @Override
    public void deviceRemoved() {
        lost(Reason.DISCONNECTED, "the device has been removed");
        finish();
        device.remove();
    }

    @Override
    public void receivesTaken() {
        receivesTaken = true;
        finish();
    }

    /** Called when the peer has disconnected. Receives that completed before are still reported. The device may report another reason. */
    public void disconnected() {
        device.asynchronousEvents();
        over(null);
    }

    /** Ends the connection for a reason from the device or the connection manager. A connection in set-up ends once it is established. */
    @Override
    public void lost(RdmaException.Reason reason, String why) {
        RdmaException fault = new RdmaException(reason, this + ": " + why);
        if (phase == Phase.CONNECTING) {
            cause = fault;
        }
        over(fault);
    }

    @Override
    public boolean poll() {
        return phase == Phase.ACTIVE && take() > 0;
    }

    @Override
    public void arm() {
        try {
            nativeQueuePair.armReceives();
            if (notification.isAwaited()) {
                nativeQueuePair.armSends();
            }
        } catch (NativeException e) {
            lost(Reason.DISCONNECTED, "no completion events: " + e.getMessage());
        }
    }

    /** Takes a batch of completions and processes it. Returns their number. */
    private int take() {
        if (unpollable) {
            return 0;
        }
        int count;
        try {
            count = nativeQueuePair.poll();
        } catch (NativeException e) {
            // Ending the connection drains the queues, which would fail here again.
            unpollable = true;
            lost(Reason.DISCONNECTED, "completions cannot be taken: " + e.getMessage());
            return 0;
        }
        if (count > 0) {
            conclude(queuePair.reap(completions, count));
        }
        return count;
    }

    /** Reports the completions of a batch, and ends the connection if one of them requires it. */
    private void conclude(VerbsQueuePair.Reaped reaped) {
        reaped.invalidations().forEach(Runnable::run);
        calls().completed(reaped.ended());
        WorkStatus failure = reaped.failure();
        if (failure != null && failure.isFlushed()) {
            fail(new RdmaException(
                    Reason.PEER_VIOLATION, this + ": the device stopped the queue pair for a request of the peer"));
        } else if (failure != null) {
            lost(failure.reason(), failure.words());
        } else {
            idle.peerIsAlive();
            queuePair.report(reaped.fault());
        }
    }

    /** Ends the connection; later calls do nothing. When it has ended there are no completions, no remote access and no native objects. */
    private void over(@Nullable RdmaException why) {
        if (phase != Phase.ACTIVE) {
            return;
        }
        // The first reason is reported; later ones may follow from it.
        if (cause == null) {
            cause = why;
        }
        drain();
        if (phase != Phase.ACTIVE) {
            return;
        }
        phase = Phase.ENDING;
        idle.stop();
        queuePair.stopPosting();
        LOG.log(Level.DEBUG, "{0}: over, {1}", this, cause == null ? "closed" : cause.getMessage());
        end.disconnect();
        if (shared == null || receivesTaken) {
            finish();
        } else {
            device.loop().schedule(LAST_RECEIVE, this::finish);
        }
    }

    private void finish() {
        if (phase != Phase.ENDING) {
            return;
        }
        drain();
        strategy.stop();
        destroyQueuePair();
        if (shared != null) {
            shared.drain();
            shared.detach(this);
        }
        phase = Phase.OVER;
        calls().completed(queuePair.flush());
        strategy.close();
        end.release();
        device.detach(this);
        calls().disconnected(cause);
    }

    /** Destroys the queue pair. The device no longer accesses memory for it afterward, even if destroying fails. */
    private void destroyQueuePair() {
        if (!nativeQueuePair.destroy()) {
            queuePair.withdraw();
        }
    }

    /** Takes the completions in the queues, at most as many as the queues hold. One of them may end the connection. */
    private void drain() {
        if (shared != null) {
            shared.drain();
        }
        Phase current = phase;
        int most = nativeQueuePair.limits().sends() + nativeQueuePair.limits().receives();
        int count = most;
        for (int taken = 0; count > 0 && taken < most && phase == current; taken += count) {
            count = take();
        }
    }

    @Override
    public String toString() {
        return queuePair + " on " + device.name();
    }
}
