// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import org.emplace.rdma.Completion;
import org.emplace.rdma.Completion.Operation;
import org.emplace.rdma.Completion.Status;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.ReceiveRequest;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.provider.ConnectionCounters;
import org.emplace.rdma.verbs.device.DeviceCapabilities;
import org.emplace.rdma.verbs.memory.Grants.Grant;
import org.emplace.rdma.verbs.memory.Registration;
import org.emplace.rdma.verbs.memory.RemoteAccessStrategy;
import org.emplace.rdma.verbs.memory.VerbsRegion;
import org.jspecify.annotations.Nullable;

/**
 * A connection's queue pair: the consumer's view of it, and its send and receive queues under one lock. Work requests are posted to the device on the
 * calling thread, which may be any; the loop handles their completions.
 */
final class VerbsQueuePair implements QueuePair, RemoteAccessStrategy.WindowPosting {
    /**
     * The results of a batch of the device's completions.
     *
     * @param ended completions for the handler
     * @param invalidations actions to run before the handler is called
     * @param failure the first failed request's status, preferably one that is not a flush; null if all succeeded
     * @param fault why nothing can be posted any more; null if posting works
     */
    record Reaped(
            List<Completion> ended,
            List<Runnable> invalidations,
            @Nullable WorkStatus failure,
            @Nullable RdmaException fault) {}

    private final ConnectionEnd end;
    private final RemoteAccessStrategy strategy;
    private final VerbsConnection connection;
    private final int elements;
    private final boolean sendsInvalidate;
    private final boolean sharesReceives;
    /** Guards the two queues, and whether they are closed. */
    private final Object lock = new Object();

    private final VerbsSendQueue sends;
    private final VerbsReceiveQueue receives;
    private boolean closed;
    private int postedFirst;
    private byte[] remotePrivateData = {};
    private int outboundReads;
    private @Nullable ConnectionCounters counters;

    /** @param sharesReceives whether the Receives come from a shared receive queue */
    VerbsQueuePair(
            ConnectionEnd end,
            NativeQueuePair queuePair,
            DeviceCapabilities capabilities,
            RemoteAccessStrategy strategy,
            SendNotification notification,
            boolean sharesReceives,
            VerbsConnection connection) {
        this.end = end;
        this.strategy = strategy;
        this.sharesReceives = sharesReceives;
        this.connection = connection;
        elements = queuePair.limits().elements();
        sendsInvalidate = capabilities.invalidation();
        sends = new VerbsSendQueue(
                queuePair.handle(), queuePair.limits(), strategy.domain(), capabilities.iwarp(), notification);
        receives = new VerbsReceiveQueue(queuePair.handle(), queuePair.limits(), strategy.domain());
    }

    /** On the loop, before the connection is established: posts its first Receives. Returns why that failed; null if it did not. */
    @Nullable
    RdmaException postFirst(List<ReceiveRequest> first) {
        postedFirst = first.size();
        synchronized (lock) {
            first.forEach(receives::add);
            receives.post();
            return receives.fault();
        }
    }

    /**
     * On the loop, before the consumer learns of the connection: sets the results of the set-up, and lets Reads be sent.
     *
     * @param reads RDMA Reads that the peer answers at a time
     */
    void established(byte[] privateData, int reads, ConnectionCounters counting) {
        remotePrivateData = privateData;
        outboundReads = reads;
        counters = counting;
        counting.receivesPosted(postedFirst);
        synchronized (lock) {
            sends.negotiated(reads);
        }
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return end.remoteAddress();
    }

    @Override
    public InetSocketAddress localAddress() {
        return end.localAddress();
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
        return sendsInvalidate;
    }

    @Override
    public void postReceive(ReceiveRequest receive) {
        if (sharesReceives) {
            throw new IllegalStateException("the connection's Receives are those of a shared queue: post to that");
        }
        VerbsRegion.ofSink(receive.sink());
        RdmaException fault;
        synchronized (lock) {
            if (closed) {
                return;
            }
            counters().receivesPosted(1);
            receives.add(receive);
            receives.post();
            fault = receives.fault();
        }
        report(fault);
    }

    @Override
    public void post(List<WorkRequest> requests) {
        List<WorkRequest> batch = List.copyOf(requests);
        for (WorkRequest request : batch) {
            check(request);
        }
        RdmaException fault;
        synchronized (lock) {
            if (closed) {
                return;
            }
            counters().posted(batch);
            batch.forEach(sends::add);
            sends.transmit();
            fault = sends.fault();
        }
        report(fault);
    }

    /** The counters. Only the consumer's calls need them, and the consumer knows only connections that have been established. */
    private ConnectionCounters counters() {
        if (counters == null) {
            throw new IllegalStateException(this + ": not established");
        }
        return counters;
    }

    /** Checks that a request's memory is this provider's and that the device supports the request. */
    private void check(WorkRequest request) {
        List<MemorySegment> memory = request.memory();
        memory.forEach(request instanceof WorkRequest.Read ? VerbsRegion::ofSink : VerbsRegion::of);
        if (request instanceof WorkRequest.Send send) {
            if (memory.size() > elements) {
                throw new IllegalArgumentException(
                        this + ": a Send of " + memory.size() + " pieces; the device gathers " + elements + " at most");
            }
            if (send.invalidate().isPresent() && !sendsInvalidate) {
                throw new IllegalArgumentException(this + ": the device cannot send with invalidate");
            }
        }
    }

    @Override
    public RemoteAccess expose(MemorySegment segment, RemoteAccess.Right right) throws RdmaException {
        Grant grant;
        try {
            grant = strategy.expose(segment, right, this);
        } catch (RdmaException e) {
            if (!VerbsRegion.of(segment).isOpen()) {
                throw new IllegalStateException("deregistered memory cannot be exposed", e);
            }
            throw e;
        }
        counters().accessGranted();
        grant.whenEnded(counters()::accessEnded);
        return grant;
    }

    @Override
    public void bind(long window, int key, Registration registration, long address, int length, int rights) {
        post(new SendItem.Bind(window, key, registration, address, length, rights));
    }

    @Override
    public void invalidate(int key, Runnable invalidated) {
        post(new SendItem.Invalidation(key, invalidated));
    }

    /** On the loop: probes the peer. */
    void probe() {
        post(new SendItem.Probe());
    }

    private void post(SendItem item) {
        RdmaException fault;
        synchronized (lock) {
            if (closed) {
                return;
            }
            sends.add(item);
            sends.transmit();
            fault = sends.fault();
        }
        report(fault);
    }

    /** On the loop: processes the first {@code count} completions, and posts requests that waited for room. */
    Reaped reap(CompletionBuffer completions, int count) {
        synchronized (lock) {
            List<Completion> ended = new ArrayList<>(count);
            List<Runnable> invalidations = new ArrayList<>();
            WorkStatus failure = null;
            for (int i = 0; i < count; i++) {
                WorkStatus status = completions.status(i);
                if (!status.isSuccess() && (failure == null || failure.isFlushed())) {
                    failure = status;
                }
                if (status.isFlushed() || (closed && !status.isSuccess())) {
                    // Closing stops this request. It is reported with the others that the end flushes.
                    continue;
                }
                if (completions.isReceive(i)) {
                    received(completions, i, status, ended, invalidations);
                } else {
                    sends.completed(completions.sequence(i), status.status(), ended, invalidations);
                }
            }
            if (failure == null && !closed) {
                receives.post();
                sends.transmit();
            }
            return new Reaped(ended, invalidations, failure, sends.fault() != null ? sends.fault() : receives.fault());
        }
    }

    private void received(
            CompletionBuffer completions,
            int index,
            WorkStatus status,
            List<Completion> ended,
            List<Runnable> invalidations) {
        OptionalInt invalidated = status.isSuccess() && completions.mayInvalidate(index)
                ? invalidated(completions.invalidatedKey(index), invalidations)
                : OptionalInt.empty();
        receives.completed(completions.sequence(index), status.status(), completions.length(index), invalidated, ended);
    }

    /** On the loop: processes completed Receives of a shared queue. */
    Reaped received(List<NativeSharedReceiveQueue.Ended> taken) {
        synchronized (lock) {
            List<Completion> ended = new ArrayList<>(taken.size());
            List<Runnable> invalidations = new ArrayList<>();
            WorkStatus failure = null;
            for (NativeSharedReceiveQueue.Ended receive : taken) {
                WorkStatus status = receive.status();
                if (!status.isSuccess() && (failure == null || failure.isFlushed())) {
                    failure = status;
                }
                OptionalInt invalidated = status.isSuccess() && receive.mayInvalidate()
                        ? invalidated(receive.key(), invalidations)
                        : OptionalInt.empty();
                Status said = closed && !status.isSuccess() ? Status.FLUSHED : status.status();
                int length = status.isSuccess() ? receive.length() : 0;
                ended.add(new Completion(receive.receive().id(), Operation.RECEIVE, said, length, invalidated));
            }
            return new Reaped(ended, invalidations, failure, sends.fault());
        }
    }

    /** The key that the peer has invalidated; empty if it was not exposed to the peer. */
    private OptionalInt invalidated(int key, List<Runnable> invalidations) {
        if (!strategy.exposes(key)) {
            return OptionalInt.empty();
        }
        invalidations.add(() -> strategy.invalidated(key));
        return OptionalInt.of(key);
    }

    /** On the loop: stops posting. Requests that fail from here on are reported as flushed. */
    void stopPosting() {
        synchronized (lock) {
            closed = true;
        }
    }

    /** On the loop, if the queue pair could not be destroyed: deregisters the memory of all outstanding requests. */
    void withdraw() {
        synchronized (lock) {
            sends.withdraw();
            receives.withdraw();
        }
    }

    /** On the loop, after the queue pair has been destroyed: the completions of all outstanding requests, in order. */
    List<Completion> flush() {
        synchronized (lock) {
            List<Completion> ended = new ArrayList<>();
            sends.flush(ended);
            receives.flush(ended);
            return ended;
        }
    }

    @Override
    public void helpUntil(BooleanSupplier done) {
        connection.loop().helpUntil(done);
    }

    @Override
    public void wakeHelper() {
        connection.loop().wakeHelper();
    }

    @Override
    public void close() {
        connection.close();
    }

    /** Ends the connection if there is a fault, which prevents posting. */
    void report(@Nullable RdmaException fault) {
        if (fault != null) {
            connection.failed(fault);
        }
    }

    @Override
    public String toString() {
        return "verbs " + end.localAddress() + " to " + end.remoteAddress();
    }
}
