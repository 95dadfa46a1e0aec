// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.emplace.rdma.Completion;
import org.emplace.rdma.ConnectionCounters;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.QueuePairHandler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.ReceiveRequest;
import org.emplace.rdma.RemoteAccess;
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

    private enum Phase {
        CONNECTING,
        ACTIVE,
        OVER
    }

    private final VerbsDevice device;
    private final ConnectionEnd connection;
    private final RemoteAccessStrategy strategy;
    private final QueuePairHandler handler;
    private final NativeQueuePair queuePair;
    private final CompletionBuffer completions = new CompletionBuffer(COMPLETIONS_AT_A_TIME);
    private final WorkQueues queues;
    private Phase phase = Phase.CONNECTING;
    private byte[] remotePrivateData = {};
    private int outboundReads;
    private @Nullable ConnectionCounters counters;
    private boolean failing;

    private VerbsQueuePair(
            VerbsDevice device,
            ConnectionEnd connection,
            RemoteAccessStrategy strategy,
            QueuePairLimits wanted,
            QueuePairHandler handler)
            throws RdmaException {
        this.device = device;
        this.connection = connection;
        this.strategy = strategy;
        this.handler = handler;
        queuePair = NativeQueuePair.create(device, connection.handle(), strategy.domain(), wanted, this);
        device.attach(this);
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
     * @throws RdmaException NO_RESOURCES if the device has no more, or memory cannot be pinned
     */
    public static VerbsQueuePair create(
            VerbsDevice device,
            ConnectionEnd connection,
            RemoteAccessStrategy strategy,
            QueuePairLimits wanted,
            List<ReceiveRequest> receives,
            QueuePairHandler handler)
            throws RdmaException {
        VerbsQueuePair created;
        try {
            created = new VerbsQueuePair(device, connection, strategy, wanted, handler);
        } catch (RdmaException e) {
            strategy.close();
            throw e;
        }
        RdmaException fault = created.queues.postReceives(receives);
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
     * @throws IllegalArgumentException if another provider registered the memory of one, or it is read-only
     */
    public static void check(List<ReceiveRequest> receives) {
        receives.forEach(receive -> VerbsRegion.ofSink(receive.sink()));
    }

    /**
     * On the loop: the connection stands.
     *
     * @param privateData of the peer
     * @param reads that this side may have outstanding
     * @param receives posted so far
     */
    public void established(byte[] privateData, int reads, int receives) {
        ConnectionCounters opened = device.counters().connectionOpened(localAddress(), remoteAddress());
        opened.receivesPosted(receives);
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
    }

    /** On the loop: the connection does not come about. The handler is told nothing. */
    public void abandon() {
        phase = Phase.OVER;
        queues.close();
        strategy.stop();
        queuePair.destroy();
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
        check(List.of(receive));
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
        device.remove();
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
            Reaped reaped = queues.reap(completions, count);
            reaped.invalidations().forEach(Runnable::run);
            deliver(reaped.ended());
            conclude(reaped);
        }
        return count;
    }

    private void conclude(Reaped reaped) {
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
    private void over(@Nullable RdmaException cause) {
        if (phase != Phase.ACTIVE) {
            return;
        }
        drain();
        if (phase != Phase.ACTIVE) {
            return;
        }
        phase = Phase.OVER;
        queues.close();
        LOG.log(Level.DEBUG, "{0}: over, {1}", this, cause == null ? "closed" : cause.getMessage());
        connection.disconnect();
        drain();
        strategy.stop();
        queuePair.destroy();
        deliver(queues.flush());
        strategy.close();
        connection.release();
        device.detach(this);
        tellEnd(cause);
    }

    /** Takes what the completion queue has, a queue full at most; what it says may end the connection. */
    private void drain() {
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

    private void tellEnd(@Nullable RdmaException cause) {
        if (counters != null) {
            counters.ended(cause);
        }
        try {
            handler.disconnected(cause);
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
