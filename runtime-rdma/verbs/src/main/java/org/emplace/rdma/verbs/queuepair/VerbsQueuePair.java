// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.emplace.rdma.Completion;
import org.emplace.rdma.ConnectionCounters;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.QueuePairHandler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.ReceiveRequest;
import org.emplace.rdma.Receives;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.SharedReceiveQueue;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.verbs.device.DeviceUser;
import org.emplace.rdma.verbs.device.VerbsDevice;
import org.emplace.rdma.verbs.event.CompletionSource;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.memory.Grant;
import org.emplace.rdma.verbs.memory.Registration;
import org.emplace.rdma.verbs.memory.RemoteAccessStrategy;
import org.emplace.rdma.verbs.memory.VerbsRegion;
import org.emplace.rdma.verbs.memory.WindowPosting;
import org.jspecify.annotations.Nullable;

/**
 * A reliable connected queue pair of a device. What is posted goes to the device on the thread that posts it; completions,
 * the handler's calls and the end belong to the loop.
 */
public final class VerbsQueuePair implements QueuePair, CompletionSource, DeviceUser, WindowPosting {
    private static final System.Logger LOG = System.getLogger(VerbsQueuePair.class.getName());
    private static final int COMPLETIONS_AT_A_TIME = 64;
    /** How long to wait for the reason, when all that shows is that the queue pair has stopped. */
    private static final Duration GRACE = Duration.ofMillis(250);
    /** How long to wait for the device to say that it has completed what the queue pair took of a shared receive queue. rxe says nothing. */
    private static final Duration LAST_RECEIVE = Duration.ofMillis(20);

    private enum Phase {
        CONNECTING,
        ACTIVE,
        /** Stopped: what the device has taken of a shared receive queue is still heard of. */
        ENDING,
        OVER
    }

    private final VerbsDevice device;
    private final ConnectionEnd connection;
    private final RemoteAccessStrategy strategy;
    private final QueuePairHandler handler;
    private final NativeQueuePair queuePair;
    private final CompletionBuffer completions = new CompletionBuffer(COMPLETIONS_AT_A_TIME);
    private final WorkQueues queues;
    private final @Nullable SharedReceives shared;
    /** What came in while the handler could not be told: before the connection stood, or for one that never did. */
    private final List<EndedReceive> unheard = new ArrayList<>();

    private Phase phase = Phase.CONNECTING;
    private byte[] remotePrivateData = {};
    private int outboundReads;
    private @Nullable ConnectionCounters counters;
    private boolean failing;
    private boolean receivesTaken;
    private @Nullable RdmaException cause;

    private VerbsQueuePair(
            VerbsDevice device,
            ConnectionEnd connection,
            RemoteAccessStrategy strategy,
            QueuePairLimits wanted,
            @Nullable SharedReceives shared,
            QueuePairHandler handler)
            throws RdmaException {
        if (shared != null && !shared.isOpen()) {
            throw SharedReceives.over();
        }
        this.shared = shared;
        this.device = device;
        this.connection = connection;
        this.strategy = strategy;
        this.handler = handler;
        queuePair = NativeQueuePair.create(device, connection.handle(), strategy.domain(), wanted, shared, this);
        device.attach(this);
        if (shared != null) {
            shared.attach(this);
        }
        queues = new WorkQueues(
                new SendQueue(
                        queuePair.handle(),
                        queuePair.limits(),
                        strategy.domain(),
                        device.capabilities().iwarp()),
                new ReceiveQueue(queuePair.handle(), queuePair.limits(), strategy.domain()),
                strategy);
    }

    /**
     * On the loop: a queue pair for a connection that is being set up, with its first Receives posted. Ended by {@link #abandon}, or by what
     * follows {@link #established}.
     *
     * @param strategy of this connection; taken over, also where this throws
     * @param receives that {@link #check} lets pass
     * @throws RdmaException NO_RESOURCES if the device has no more, or memory cannot be pinned
     */
    public static VerbsQueuePair create(
            VerbsDevice device,
            ConnectionEnd connection,
            RemoteAccessStrategy strategy,
            QueuePairLimits wanted,
            Receives receives,
            QueuePairHandler handler)
            throws RdmaException {
        VerbsQueuePair created;
        try {
            SharedReceives shared = receives instanceof SharedReceives queue ? queue : null;
            created = new VerbsQueuePair(device, connection, strategy, wanted, shared, handler);
        } catch (RdmaException e) {
            strategy.close();
            throw e;
        }
        RdmaException fault = created.queues.postReceives(first(receives));
        if (fault != null) {
            created.abandon();
            throw fault;
        }
        device.loop().activate(created);
        return created;
    }

    /**
     * Refuses Receives that no queue pair of this provider can take.
     *
     * @param shareable the shared receive queue that there is; null for none
     * @throws IllegalArgumentException if another provider registered the memory of one, or it is read-only; or for another shared queue
     */
    public static void check(Receives receives, @Nullable SharedReceives shareable) {
        first(receives).forEach(receive -> VerbsRegion.ofSink(receive.sink()));
        if (receives instanceof SharedReceiveQueue && receives != shareable) {
            throw new IllegalArgumentException("a shared receive queue other than the one that the request offers");
        }
    }

    /** Those to post before the connection stands. */
    private static List<ReceiveRequest> first(Receives receives) {
        return receives instanceof Receives.Own own ? own.first() : List.of();
    }

    /**
     * On the loop: the connection stands.
     *
     * @param privateData of the peer
     * @param reads that this side may have outstanding
     * @param receives that it was made with
     */
    public void established(byte[] privateData, int reads, Receives receives) {
        ConnectionCounters opened = device.counters().connectionOpened(localAddress(), remoteAddress());
        opened.receivesPosted(first(receives).size());
        phase = Phase.ACTIVE;
        remotePrivateData = privateData.clone();
        outboundReads = reads;
        counters = opened;
        queues.established(opened, reads);
        LOG.log(Level.DEBUG, "{0}: established, {1} outbound Reads", this, reads);
        try {
            handler.established(this);
            device.loop().activate(this);
        } catch (Throwable e) {
            over(consumerFault(e));
        }
        List<EndedReceive> waited = List.copyOf(unheard);
        unheard.clear();
        received(waited);
    }

    /**
     * On the loop: what Receives of the shared queue brought, or did not. They may be the peer's word after a Send of this side, whose end is in
     * the other queue: that is looked at in the next turn, and not when its event has come.
     */
    void received(List<EndedReceive> receives) {
        if (phase == Phase.ACTIVE) {
            device.loop().activate(this);
        }
        if (phase == Phase.ACTIVE || phase == Phase.ENDING) {
            conclude(queues.received(receives));
        } else {
            unheard.addAll(receives);
        }
    }

    /** On the loop: the connection does not come about. The handler is told nothing. */
    public void abandon() {
        phase = Phase.OVER;
        queues.close();
        strategy.stop();
        if (shared != null) {
            // Drivers take a destroyed queue pair's completions out of the queue, and the Receives would be lost with
            // them.
            connection.disconnect();
            shared.drain();
        }
        queuePair.destroy();
        if (shared != null) {
            shared.drain();
            shared.giveBack(unheard);
            shared.detach(this);
        }
        strategy.close();
        device.detach(this);
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return connection.remoteAddress();
    }

    @Override
    public InetSocketAddress localAddress() {
        return connection.localAddress();
    }

    @Override
    public byte[] remotePrivateData() {
        return remotePrivateData.clone();
    }

    @Override
    public int outboundReads() {
        return outboundReads;
    }

    @Override
    public boolean reportsRemoteInvalidation() {
        return strategy.reportsRemoteInvalidation();
    }

    @Override
    public boolean sendsInvalidate() {
        return device.capabilities().invalidation();
    }

    @Override
    public void postReceive(ReceiveRequest receive) {
        if (shared != null) {
            throw new IllegalStateException("the connection's Receives are those of a shared queue: post to that");
        }
        VerbsRegion.ofSink(receive.sink());
        failSoon(queues.postReceives(List.of(receive)));
    }

    @Override
    public void post(List<WorkRequest> requests) {
        List<WorkRequest> batch = List.copyOf(requests);
        for (WorkRequest request : batch) {
            String misuse = WorkRequests.misuse(request, queuePair.limits().elements(), sendsInvalidate());
            if (misuse != null) {
                throw new IllegalArgumentException(this + ": " + misuse);
            }
        }
        failSoon(queues.post(batch));
    }

    @Override
    public RemoteAccess expose(MemorySegment segment, RemoteAccess.Right right) throws RdmaException {
        Grant grant = strategy.expose(segment, right, this);
        ConnectionCounters counting = counters;
        if (counting != null) {
            counting.accessGranted();
            grant.whenEnded(counting::accessEnded);
        }
        return grant;
    }

    @Override
    public void bind(long window, int key, Registration registration, long address, int length, int rights) {
        failSoon(queues.post(new SendItem.Bind(window, key, registration, address, length, rights)));
    }

    @Override
    public void invalidate(int key, Runnable invalidated) {
        failSoon(queues.post(new SendItem.Invalidation(key, invalidated)));
    }

    /** Where a queue pair has stopped for a reason that is about to be heard of, the reason is waited for. */
    private void failSoon(@Nullable RdmaException fault) {
        if (fault != null) {
            device.loop()
                    .execute(() -> fail(new RdmaException(fault.reason(), this + ": " + fault.getMessage(), fault)));
        }
    }

    private void fail(RdmaException fault) {
        if (!device.capabilities().iwarp()) {
            over(fault);
        } else if (!failing) {
            failing = true;
            device.loop().schedule(GRACE, () -> over(fault));
        }
    }

    @Override
    public void close() {
        device.loop().execute(() -> over(null));
    }

    /** On the loop: the provider is closing. */
    public void shutDown() {
        over(null);
        finish();
    }

    @Override
    public int queuePairNumber() {
        return queuePair.number();
    }

    @Override
    public void stopped(String why) {
        lost(Reason.PEER_VIOLATION, why);
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

    /** On the loop: the peer has disconnected. What it sent before is still taken. */
    public void disconnected() {
        over(null);
    }

    /** On the loop: ends the connection for a reason that the device or the connection manager gave. */
    public void lost(RdmaException.Reason reason, String why) {
        over(new RdmaException(reason, this + ": " + why));
    }

    @Override
    public boolean poll() {
        if (phase != Phase.ACTIVE) {
            return false;
        }
        int count = take();
        return count > 0;
    }

    @Override
    public void arm() {
        try {
            queuePair.arm();
        } catch (NativeException e) {
            lost(Reason.DISCONNECTED, "no completion events: " + e.getMessage());
        }
    }

    /** Takes a batch of completions and hands them over; how many there were. */
    private int take() {
        int count;
        try {
            count = queuePair.poll(completions);
        } catch (NativeException e) {
            lost(Reason.DISCONNECTED, "completions cannot be taken: " + e.getMessage());
            return 0;
        }
        if (count > 0) {
            conclude(queues.reap(completions, count));
        }
        return count;
    }

    /** Hands on what a batch of completions comes to, and ends the connection where one of them says so. */
    private void conclude(Reaped reaped) {
        reaped.invalidations().forEach(Runnable::run);
        deliver(reaped.ended());
        WorkStatus failure = reaped.failure();
        if (failure != null && failure.isFlushed()) {
            fail(new RdmaException(
                    Reason.PEER_VIOLATION, this + ": the device stopped the queue pair for a request of the peer"));
        } else if (failure != null) {
            lost(failure.reason(), failure.words());
        } else {
            failSoon(reaped.fault());
        }
    }

    private void deliver(List<Completion> ended) {
        if (ended.isEmpty()) {
            return;
        }
        List<Completion> batch = List.copyOf(ended);
        if (counters != null) {
            counters.completed(batch);
        }
        try {
            handler.completed(batch);
        } catch (Throwable e) {
            over(consumerFault(e));
        }
    }

    /** Ends the connection, once: no completion, no access to memory, nothing of the device is left afterwards. */
    private void over(@Nullable RdmaException why) {
        if (phase != Phase.ACTIVE) {
            return;
        }
        drain();
        if (phase != Phase.ACTIVE) {
            return;
        }
        phase = Phase.ENDING;
        cause = why;
        queues.close();
        LOG.log(Level.DEBUG, "{0}: over, {1}", this, why == null ? "closed" : why.getMessage());
        connection.disconnect();
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
        queuePair.destroy();
        if (shared != null) {
            shared.drain();
            shared.detach(this);
        }
        phase = Phase.OVER;
        deliver(queues.flush());
        strategy.close();
        connection.release();
        device.detach(this);
        tellEnd(cause);
    }

    /** Takes what the completion queues have, a queue full at most; what they say may end the connection. */
    private void drain() {
        if (shared != null) {
            shared.drain();
        }
        Phase current = phase;
        int most = queuePair.limits().sends() + queuePair.limits().receives();
        for (int taken = 0; taken < most && phase == current; ) {
            int count = take();
            if (count == 0) {
                return;
            }
            taken += count;
        }
    }

    private void tellEnd(@Nullable RdmaException why) {
        if (counters != null) {
            counters.ended(why);
        }
        try {
            handler.disconnected(why);
        } catch (Throwable e) {
            LOG.log(Level.ERROR, this + ": the handler threw when told of the end", e);
        }
    }

    private RdmaException consumerFault(Throwable e) {
        return new RdmaException(Reason.DISCONNECTED, this + ": the queue pair's handler threw", e);
    }

    @Override
    public String toString() {
        return "verbs " + localAddress() + " to " + remoteAddress() + " on " + device.name();
    }
}
