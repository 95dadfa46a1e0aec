// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.net.InetSocketAddress;
import java.util.List;
import org.emplace.rdma.ConnectionCounters;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.ReceiveRequest;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.verbs.memory.Grants.Grant;
import org.emplace.rdma.verbs.memory.Registration;
import org.emplace.rdma.verbs.memory.RemoteAccessStrategy;
import org.emplace.rdma.verbs.memory.VerbsRegion;
import org.jspecify.annotations.Nullable;

/**
 * A connection's queue pair as the consumer uses it, on any thread. Work requests are posted to the device on the calling thread; {@link
 * VerbsConnection} handles their completions.
 */
final class VerbsQueuePair implements QueuePair, RemoteAccessStrategy.WindowPosting {

    private final ConnectionEnd end;
    private final WorkQueues queues;
    private final RemoteAccessStrategy strategy;
    private final Abilities abilities;
    private final VerbsConnection connection;
    private byte[] remotePrivateData = {};
    private int outboundReads;
    private @Nullable ConnectionCounters counters;

    /**
     * The device's capabilities for this queue pair.
     *
     * @param elements the most gather elements of a Send
     * @param sendsInvalidate whether Send with Invalidate is supported
     * @param sharesReceives whether its Receives come from a shared receive queue
     */
    record Abilities(int elements, boolean sendsInvalidate, boolean sharesReceives) {}

    VerbsQueuePair(
            ConnectionEnd end,
            WorkQueues queues,
            RemoteAccessStrategy strategy,
            Abilities abilities,
            VerbsConnection connection) {
        this.end = end;
        this.queues = queues;
        this.strategy = strategy;
        this.abilities = abilities;
        this.connection = connection;
    }

    /** On the loop, before the consumer learns of the connection: sets the results of the set-up. */
    void established(byte[] privateData, int reads, ConnectionCounters counting) {
        remotePrivateData = privateData;
        outboundReads = reads;
        counters = counting;
        queues.established(counting, reads);
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
        return abilities.sendsInvalidate();
    }

    @Override
    public void postReceive(ReceiveRequest receive) {
        if (abilities.sharesReceives()) {
            throw new IllegalStateException("the connection's Receives are those of a shared queue: post to that");
        }
        VerbsRegion.ofSink(receive.sink());
        report(queues.postReceives(List.of(receive)));
    }

    @Override
    public void post(List<WorkRequest> requests) {
        List<WorkRequest> batch = List.copyOf(requests);
        for (WorkRequest request : batch) {
            check(request);
        }
        report(queues.post(batch));
    }

    /** Checks that a request's memory is this provider's and that the device supports the request. */
    private void check(WorkRequest request) {
        List<MemorySegment> memory = request.memory();
        memory.forEach(request instanceof WorkRequest.Read ? VerbsRegion::ofSink : VerbsRegion::of);
        if (request instanceof WorkRequest.Send send) {
            if (memory.size() > abilities.elements()) {
                throw new IllegalArgumentException(this + ": a Send of " + memory.size()
                        + " pieces; the device gathers " + abilities.elements() + " at most");
            }
            if (send.invalidate().isPresent() && !abilities.sendsInvalidate()) {
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
        ConnectionCounters counting = counters;
        if (counting != null) {
            counting.accessGranted();
            grant.whenEnded(counting::accessEnded);
        }
        return grant;
    }

    @Override
    public void bind(long window, int key, Registration registration, long address, int length, int rights) {
        report(queues.post(new SendItem.Bind(window, key, registration, address, length, rights)));
    }

    @Override
    public void invalidate(int key, Runnable invalidated) {
        report(queues.post(new SendItem.Invalidation(key, invalidated)));
    }

    /** On the loop: probes the peer. */
    void probe() {
        report(queues.post(new SendItem.Probe()));
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
