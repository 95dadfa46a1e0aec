// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
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
 * A reliable connected queue pair of a device. What is posted goes to the device on the thread that posts it, under the lock; completions,
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
    private final Object lock = new Object();
    private final SendQueue sendQueue;
    private final ReceiveQueue receiveQueue;
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
        sendQueue = new SendQueue(
                queuePair.handle(),
                queuePair.limits(),
                strategy.domain(),
                device.capabilities().iwarp());
        receiveQueue = new ReceiveQueue(queuePair.handle(), queuePair.limits(), strategy.domain());
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
        RdmaException fault = created.postFirst(receives);
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

    private @Nullable RdmaException postFirst(List<ReceiveRequest> receives) {
        synchronized (lock) {
            receives.forEach(receiveQueue::add);
            receiveQueue.post();
            return receiveQueue.fault();
        }
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
        synchronized (lock) {
            phase = Phase.ACTIVE;
            remotePrivateData = privateData.clone();
            outboundReads = reads;
            counters = opened;
            sendQueue.negotiated(reads);
        }
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
        synchronized (lock) {
            phase = Phase.OVER;
        }
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
        RdmaException fault;
        synchronized (lock) {
            if (phase == Phase.OVER) {
                return;
            }
            if (counters != null) {
                counters.receivesPosted(1);
            }
            receiveQueue.add(receive);
            receiveQueue.post();
            fault = receiveQueue.fault();
        }
        failSoon(fault);
    }

    @Override
    public void post(List<WorkRequest> requests) {
        List<WorkRequest> batch = List.copyOf(requests);
        batch.forEach(this::check);
        RdmaException fault;
        synchronized (lock) {
            if (phase == Phase.OVER) {
                return;
            }
            if (counters != null) {
                counters.posted(batch);
            }
            batch.forEach(sendQueue::add);
            sendQueue.transmit();
            fault = sendQueue.fault();
        }
        failSoon(fault);
    }

    private void check(WorkRequest request) {
        List<MemorySegment> memory = WorkRequests.memory(request);
        memory.forEach(request instanceof WorkRequest.Read ? VerbsRegion::ofSink : VerbsRegion::of);
        int elements = queuePair.limits().elements();
        if (request instanceof WorkRequest.Send send) {
            if (memory.size() > elements) {
                throw new IllegalArgumentException(
                        this + ": a Send of " + memory.size() + " pieces; the device gathers " + elements + " at most");
            }
            if (send.invalidate().isPresent() && !sendsInvalidate()) {
                throw new IllegalArgumentException(this + ": the device cannot send with invalidate");
            }
        }
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
        postInternal(new SendItem.Bind(window, key, registration, address, length, rights));
    }

    @Override
    public void invalidate(int key, Runnable invalidated) {
        postInternal(new SendItem.Invalidation(key, invalidated));
    }

    private void postInternal(SendItem item) {
        RdmaException fault;
        synchronized (lock) {
            if (phase == Phase.OVER) {
                return;
            }
            sendQueue.add(item);
            sendQueue.transmit();
            fault = sendQueue.fault();
        }
        failSoon(fault);
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
            Reaped reaped = new Reaped();
            synchronized (lock) {
                for (int i = 0; i < count; i++) {
                    reap(i, reaped);
                }
                if (reaped.failure == null && phase == Phase.ACTIVE) {
                    receiveQueue.post();
                    sendQueue.transmit();
                }
                reaped.fault = sendQueue.fault() != null ? sendQueue.fault() : receiveQueue.fault();
            }
            reaped.invalidations.forEach(Runnable::run);
            deliver(reaped.ended);
            conclude(reaped);
        }
        return count;
    }

    /** What a batch of completions comes to. */
    private static final class Reaped {
        private final List<Completion> ended = new ArrayList<>();
        private final List<Runnable> invalidations = new ArrayList<>();
        private @Nullable WorkStatus failure;
        private @Nullable RdmaException fault;
    }

    private void reap(int index, Reaped reaped) {
        long id = completions.id(index);
        WorkStatus status = completions.status(index);
        if (!status.isSuccess() && (reaped.failure == null || reaped.failure.isFlushed())) {
            reaped.failure = status;
        }
        if (status.isFlushed() || (!status.isSuccess() && phase == Phase.OVER)) {
            // Stopped by the end, with whose rest it is reported.
            return;
        }
        if (!WorkId.isReceive(id)) {
            sendQueue.completed(WorkId.sequence(id), status.status(), reaped.ended, reaped.invalidations);
            return;
        }
        OptionalInt invalidated = OptionalInt.empty();
        if (status.isSuccess() && completions.mayInvalidate(index)) {
            int key = completions.invalidatedKey(index);
            if (strategy.exposes(key)) {
                invalidated = OptionalInt.of(key);
                reaped.invalidations.add(() -> strategy.invalidated(key));
            }
        }
        receiveQueue.completed(
                WorkId.sequence(id), status.status(), completions.length(index), invalidated, reaped.ended);
    }

    private void conclude(Reaped reaped) {
        WorkStatus failure = reaped.failure;
        if (failure != null && failure.isFlushed()) {
            fail(new RdmaException(
                    Reason.PEER_VIOLATION, this + ": the device stopped the queue pair for a request of the peer"));
        } else if (failure != null) {
            lost(failure.reason(), failure.words());
        } else {
            failSoon(reaped.fault);
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
        List<Completion> flushed = new ArrayList<>();
        drain();
        if (phase != Phase.ACTIVE) {
            return;
        }
        synchronized (lock) {
            phase = Phase.OVER;
        }
        LOG.log(Level.DEBUG, "{0}: over, {1}", this, cause == null ? "closed" : cause.getMessage());
        connection.disconnect();
        drain();
        strategy.stop();
        queuePair.destroy();
        synchronized (lock) {
            sendQueue.flush(flushed);
            receiveQueue.flush(flushed);
        }
        deliver(flushed);
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
