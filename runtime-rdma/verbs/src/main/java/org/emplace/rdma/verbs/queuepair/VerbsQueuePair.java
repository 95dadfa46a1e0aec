// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.QueuePair.Handler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.Receives;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.provider.ConnectionCounters;
import org.emplace.rdma.provider.HandlerCalls;
import org.emplace.rdma.verbs.connection.ConnectionEvents;
import org.emplace.rdma.verbs.connection.ConnectionId;
import org.emplace.rdma.verbs.device.DeviceCapabilities.QueuePairLimits;
import org.emplace.rdma.verbs.device.VerbsDevice;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.memory.ProtectionDomain;
import org.emplace.rdma.verbs.memory.RemoteAccessStrategy;
import org.emplace.rdma.verbs.queuepair.CompletionQueue.Reaped;
import org.emplace.rdma.verbs.queuepair.CompletionQueue.WorkStatus;
import org.emplace.rdma.verbs.queuepair.VerbsSharedReceives.CompletedReceive;
import org.jspecify.annotations.Nullable;

/**
 * The queue pair of a reliable connection, from set-up to end. Its two queues post work requests on the calling thread, which may be any. Everything
 * else is done on the loop: it takes completions, calls the consumer's handler, and destroys the native objects.
 */
public final class VerbsQueuePair implements QueuePair, VerbsDevice.User, ConnectionEvents.Handler {
    private enum Phase {
        CONNECTING,
        ACTIVE,
        /** Stopped. The device may still complete Receives that it took from a shared receive queue. */
        STOPPED,
        DESTROYED
    }

    private static final System.Logger LOG = System.getLogger(VerbsQueuePair.class.getName());
    private static final int COMPLETIONS_AT_A_TIME = 64;
    /**
     * Room for more Receives than consumers post at first. A Receive that waits for room is unknown to the device, and on iWARP a Send that finds no
     * Receive ends the connection.
     */
    private static final int FEWEST_RECEIVES = 512;

    /** How long to wait for the reason when the queue pair has stopped without one. */
    private static final Duration GRACE = Duration.ofMillis(250);
    /** How long to wait for the device's event that all Receives taken from a shared receive queue have completed. rxe does not send it. */
    private static final Duration LAST_RECEIVE = Duration.ofMillis(20);

    private final VerbsDevice device;
    private final ConnectionId id;
    private final RemoteAccessStrategy strategy;
    private final Handler handler;
    private final @Nullable VerbsSharedReceives shared;
    private final long handle;
    private final int number;
    private final int capacity;
    private final VerbsSendQueue sends;
    private final VerbsReceiveQueue receives;
    private final IdleProbe idle;
    /** Receives that completed before the connection was established, when the handler could not be called yet. */
    private final List<CompletedReceive> early = new ArrayList<>();

    private final int postedFirst;
    private byte[] remotePrivateData = {};
    private int outboundReads;
    private @Nullable ConnectionCounters counters;
    private Phase phase = Phase.CONNECTING;
    private @Nullable HandlerCalls calls;
    private boolean failing;
    private boolean receivesTaken;
    private boolean unpollable;
    private @Nullable RdmaException cause;

    private VerbsQueuePair(
            VerbsDevice device,
            ConnectionId id,
            RemoteAccessStrategy strategy,
            QueuePairLimits wanted,
            ConnectionParameters parameters,
            Handler handler)
            throws RdmaException {
        this.device = device;
        this.id = id;
        this.strategy = strategy;
        this.handler = handler;
        shared = parameters.receives() instanceof VerbsSharedReceives queue ? queue : null;
        if (shared != null) {
            shared.requireOpen();
        }
        postedFirst =
                parameters.receives() instanceof Receives.Own own ? own.first().size() : 0;
        capacity = wanted.sends() + wanted.receives();
        ProtectionDomain domain = strategy.domain();
        CompletionQueue.Batch batch = new CompletionQueue.Batch(COMPLETIONS_AT_A_TIME);
        CompletionQueue sent = null;
        CompletionQueue received = null;
        int inline;
        try {
            sent = CompletionQueue.create(device, this, wanted.sends(), batch);
            received = shared == null ? CompletionQueue.create(device, this, wanted.receives(), batch) : null;
            int[] capacities = {
                wanted.sends(), wanted.receives(), wanted.elements(), shared == null ? 1 : 0, wanted.inline()
            };
            handle = device.createQueuePair(
                    id.handle(),
                    domain.handle(),
                    sent.handle(),
                    received == null ? 0 : received.handle(),
                    shared == null ? 0 : shared.handle(),
                    capacities);
            number = Libibverbs.queuePairNumber(handle);
            inline = capacities[4];
        } catch (NativeException e) {
            CompletionQueue.destroy(sent, received);
            throw new RdmaException(Reason.NO_RESOURCES, device.name() + ": no queue pair: " + e.getMessage(), e);
        }
        // A device may round up, but the completion queues have entries only for the numbers wanted.
        sends = new VerbsSendQueue(this, wanted.withInline(inline), domain, device, sent);
        receives = new VerbsReceiveQueue(this, domain, received, wanted.receives());
        idle = new IdleProbe(device.loop(), parameters.keepAlive(), sends::probe);
    }

    /**
     * Creates the queue pair of a connection in set-up, with its first Receives posted. {@link #abandon} ends it before it is {@link #established}.
     *
     * @param strategy the connection's own; the queue pair takes ownership, also if this throws
     * @param sends send requests that the device holds for the queue pair
     * @param inline inline data of a send request, in bytes
     * @param parameters its Receives are memory of this provider, or the shared receive queue that the listener offers
     * @throws RdmaException NO_RESOURCES if the device has no more resources, or memory cannot be pinned
     */
    public static VerbsQueuePair create(
            VerbsDevice device,
            ConnectionId id,
            RemoteAccessStrategy strategy,
            int sends,
            int inline,
            ConnectionParameters parameters,
            Handler handler)
            throws RdmaException {
        Receives.Own own = parameters.receives() instanceof Receives.Own first ? first : null;
        int depth = own == null ? 0 : Math.max(FEWEST_RECEIVES, own.capacity());
        VerbsQueuePair created;
        try {
            QueuePairLimits wanted = device.capabilities().queuePairLimits(sends, depth, inline);
            created = new VerbsQueuePair(device, id, strategy, wanted, parameters, handler);
        } catch (RdmaException | RuntimeException | Error e) {
            strategy.close();
            throw e;
        }
        try {
            device.attach(created);
            if (created.shared != null) {
                created.shared.attach(created);
            }
            created.receives.postFirst(own == null ? List.of() : own.first());
            device.io().activate(created);
        } catch (RdmaException | RuntimeException | Error e) {
            created.abandon();
            throw e;
        }
        return created;
    }

    /**
     * Starts an established connection.
     *
     * @param privateData of the peer
     * @param reads RDMA Reads that this side may have outstanding
     */
    public void established(byte[] privateData, int reads) {
        id.established(this);
        ConnectionCounters opened = device.counters().connectionOpened(id.localAddress(), id.remoteAddress());
        phase = Phase.ACTIVE;
        remotePrivateData = privateData;
        outboundReads = reads;
        counters = opened;
        opened.receivesPosted(postedFirst);
        sends.negotiated(reads);
        LOG.log(Level.DEBUG, "{0}: established, {1} outbound Reads", this, reads);
        HandlerCalls established = new HandlerCalls(handler, opened, this, this::stop);
        calls = established;
        established.established(this);
        if (phase == Phase.ACTIVE) {
            device.io().activate(this);
            // On iWARP a responder must not send before it has received (RFC 5044 section 7.1.2), so the probe starts
            // with the first completion.
            if (!device.capabilities().iwarp()) {
                idle.start();
            }
        }
        List<CompletedReceive> waited = List.copyOf(early);
        early.clear();
        if (!waited.isEmpty()) {
            received(waited);
        }
        if (cause != null) {
            stop(cause);
        }
    }

    /** The native handle. */
    long handle() {
        return handle;
    }

    /** The QP number. */
    int number() {
        return number;
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return id.remoteAddress();
    }

    @Override
    public InetSocketAddress localAddress() {
        return id.localAddress();
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
        receives.post(receive, counters());
    }

    @Override
    public void post(List<WorkRequest> requests) {
        sends.post(List.copyOf(requests), counters());
    }

    @Override
    public RemoteAccess expose(MemorySegment segment, RemoteAccess.Right right) throws RdmaException {
        RemoteAccessStrategy.Grant grant = strategy.expose(segment, right, sends);
        counters().accessGranted();
        grant.whenRevoked(counters()::accessEnded);
        return grant;
    }

    /** The counters. Only the consumer's calls need them, and the consumer knows only connections that have been established. */
    private ConnectionCounters counters() {
        if (counters == null) {
            throw new IllegalStateException(this + ": not established");
        }
        return counters;
    }

    @Override
    public void pollUntil(BooleanSupplier done) {
        device.loop().pollUntil(done);
    }

    @Override
    public void wakePoller() {
        device.loop().wakePoller();
    }

    @Override
    public void close() {
        device.loop().execute(() -> stop(null));
    }

    /** On any thread: ends the connection if there is a fault, which prevents posting. */
    void report(@Nullable RdmaException fault) {
        if (fault != null) {
            device.loop()
                    .execute(() -> fail(new RdmaException(fault.reason(), this + ": " + fault.getMessage(), fault)));
        }
    }

    @Override
    public boolean poll() {
        return phase == Phase.ACTIVE && reap() > 0;
    }

    @Override
    public void arm() {
        try {
            receives.arm();
            sends.arm();
        } catch (NativeException e) {
            lost(Reason.DISCONNECTED, "no completion events: " + e.getMessage());
        }
    }

    /** Takes a batch of completions, first those of the send queue, and processes it. Returns their number. */
    private int reap() {
        if (unpollable) {
            return 0;
        }
        int sent;
        int received;
        try {
            sent = sends.completions().poll();
            received = sent > 0 ? 0 : receives.poll();
        } catch (NativeException e) {
            // Ending the connection drains the queues, which would fail here again.
            unpollable = true;
            lost(Reason.DISCONNECTED, "completions cannot be taken: " + e.getMessage());
            return 0;
        }
        if (sent + received > 0) {
            Reaped reaped = new Reaped(strategy);
            if (sent > 0) {
                sends.reap(sent, reaped);
            } else {
                receives.reap(received, reaped);
            }
            process(reaped);
        }
        return sent + received;
    }

    /**
     * Takes completed Receives of the shared queue. The peer may have answered a Send whose completion is still in the other queue, so that queue is
     * polled in the next turn without waiting for its event.
     */
    void received(List<CompletedReceive> taken) {
        if (phase == Phase.ACTIVE) {
            device.io().activate(this);
        }
        if (phase == Phase.ACTIVE || phase == Phase.STOPPED) {
            Reaped reaped = new Reaped(strategy);
            receives.complete(taken, reaped);
            process(reaped);
        } else {
            early.addAll(taken);
        }
    }

    /** Reports the completions of a batch, and ends the connection if one of them requires it. */
    private void process(Reaped reaped) {
        calls().completed(reaped.invalidate());
        WorkStatus failure = reaped.failure();
        if (failure != null && failure.isFlushed()) {
            fail(new RdmaException(
                    Reason.PEER_VIOLATION, this + ": the device stopped the queue pair for a request of the peer"));
        } else if (failure != null) {
            lost(failure.reason(), failure.words());
        } else {
            idle.peerIsAlive();
            report(reaped.fault());
        }
    }

    /** The handler's calls, of a connection that is or was established. */
    private HandlerCalls calls() {
        if (calls == null) {
            throw new IllegalStateException(this + ": not established");
        }
        return calls;
    }

    @Override
    public void event(ConnectionEvents.Event event) {
        switch (event.type()) {
            case DISCONNECTED -> {
                // Receives that completed before are still reported. The device may report another reason.
                device.asynchronousEvents();
                stop(null);
            }
            case TIMEWAIT_EXIT -> lost(Reason.DISCONNECTED, "the connection manager has given the connection up");
            case DEVICE_REMOVAL -> deviceRemoved();
            case CONNECT_ERROR, UNREACHABLE, REJECTED ->
                lost(
                        Reason.DISCONNECTED,
                        "the connection manager reports " + event.type() + ", status " + event.status());
            // Perhaps the route of the connection has changed. If the new route fails, the retries run out.
            default -> LOG.log(Level.DEBUG, "{0}: {1}", this, event);
        }
    }

    @Override
    public boolean owns(long nativeHandle) {
        CompletionQueue received = receives.completions();
        return nativeHandle == handle
                || nativeHandle == sends.completions().handle()
                || (received != null && nativeHandle == received.handle());
    }

    @Override
    public void deviceRemoved() {
        lost(Reason.DISCONNECTED, "the device has been removed");
        destroy();
        device.remove();
    }

    @Override
    public void receivesTaken() {
        receivesTaken = true;
        destroy();
    }

    /** Ends the connection for a reason from the device or the connection manager. A connection in set-up ends once it is established. */
    @Override
    public void lost(RdmaException.Reason reason, String why) {
        RdmaException fault = new RdmaException(reason, this + ": " + why);
        if (phase == Phase.CONNECTING) {
            cause = fault;
        }
        stop(fault);
    }

    /** Ends the connection for this reason, unless the device reports another. On iWARP that may come a little later. */
    private void fail(RdmaException fault) {
        device.asynchronousEvents();
        if (!device.capabilities().iwarp()) {
            stop(fault);
        } else if (!failing) {
            failing = true;
            device.loop().schedule(GRACE, () -> stop(fault));
        }
    }

    /** Ends an established connection at once, because the provider closes. */
    @Override
    public void shutDown() {
        stop(null);
        destroy();
        id.destroy();
    }

    /** Stops the queue pair; later calls do nothing. It is destroyed once the device has completed all that it took from a shared receive queue. */
    private void stop(@Nullable RdmaException why) {
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
        phase = Phase.STOPPED;
        idle.stop();
        stopPosting();
        LOG.log(Level.DEBUG, "{0}: over, {1}", this, cause == null ? "closed" : cause.getMessage());
        id.disconnect();
        if (shared == null || receivesTaken) {
            destroy();
        } else {
            device.loop().schedule(LAST_RECEIVE, this::destroy);
        }
    }

    /** Destroys a stopped queue pair. Afterward there are no completions, no remote access and no native objects. */
    private void destroy() {
        if (phase != Phase.STOPPED) {
            return;
        }
        drain();
        strategy.stop();
        destroyNative();
        if (shared != null) {
            shared.drain();
            shared.detach(this);
        }
        phase = Phase.DESTROYED;
        List<Completion> flushed = new ArrayList<>();
        sends.flush(flushed);
        receives.flush(flushed);
        calls().completed(flushed);
        strategy.close();
        id.linger();
        device.detach(this);
        calls().disconnected(cause);
    }

    /** Ends a connection that could not be set up. The handler is not called. */
    public void abandon() {
        phase = Phase.DESTROYED;
        stopPosting();
        strategy.stop();
        if (shared != null) {
            // Destroying a queue pair removes its completions, and with them the shared queue's Receives that it took.
            id.disconnect();
            shared.drain();
        }
        destroyNative();
        if (shared != null) {
            shared.drain();
            shared.repost(early);
            shared.detach(this);
        }
        strategy.close();
        device.detach(this);
    }

    /** Requests that fail from here on are reported as flushed. */
    private void stopPosting() {
        sends.stopPosting();
        receives.stopPosting();
    }

    /** Destroys the native objects. The device no longer accesses memory for the queue pair afterward, even if destroying it fails. */
    private void destroyNative() {
        boolean destroyed = true;
        try {
            Libibverbs.destroyQueuePair(handle);
        } catch (NativeException e) {
            LOG.log(
                    Level.WARNING,
                    device.name() + ": a queue pair cannot be destroyed, so its memory is deregistered",
                    e);
            destroyed = false;
        }
        CompletionQueue.destroy(sends.completions(), receives.completions());
        if (!destroyed) {
            sends.withdraw();
            receives.withdraw();
        }
    }

    /** Takes the completions in the queues, at most as many as the queues hold. One of them may end the connection. */
    private void drain() {
        if (shared != null) {
            shared.drain();
        }
        Phase current = phase;
        int count = capacity;
        for (int taken = 0; count > 0 && taken < capacity && phase == current; taken += count) {
            count = reap();
        }
    }

    @Override
    public String toString() {
        return "verbs " + id.localAddress() + " to " + id.remoteAddress() + " on " + device.name();
    }
}
