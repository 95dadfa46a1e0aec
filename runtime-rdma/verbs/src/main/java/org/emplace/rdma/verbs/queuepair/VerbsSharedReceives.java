// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.Receives.SharedReceiveQueue;
import org.emplace.rdma.verbs.device.DeviceCapabilities;
import org.emplace.rdma.verbs.device.VerbsDevice;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.memory.ProtectionDomain;
import org.emplace.rdma.verbs.memory.VerbsRegion;
import org.emplace.rdma.verbs.queuepair.CompletionQueue.WorkStatus;

/**
 * A listener's shared receive queue on one device. Its own completion queue has an entry for each Receive, so that no flood can overrun it.
 * Passes each completed Receive to the queue pair that took it. Any thread may post Receives, which takes the queue's lock; everything else is
 * done on the loop. The queue lives as long as it has users: the listener and queue pairs.
 */
public final class VerbsSharedReceives implements SharedReceiveQueue, VerbsDevice.User {
    /**
     * A completed Receive of a shared queue.
     *
     * @param queuePair the number of the queue pair that took it
     * @param length bytes received
     * @param mayInvalidate whether the peer's Send may have invalidated {@code key}; it has if that key was exposed
     */
    record CompletedReceive(
            int queuePair, ReceiveRequest receive, WorkStatus status, int length, boolean mayInvalidate, int key) {

        static CompletedReceive of(CompletionQueue.Batch batch, int index, ReceiveRequest receive) {
            return new CompletedReceive(
                    batch.queuePair(index),
                    receive,
                    batch.status(index),
                    batch.length(index),
                    batch.mayInvalidate(index),
                    batch.invalidatedKey(index));
        }
    }

    private static final System.Logger LOG = System.getLogger(VerbsSharedReceives.class.getName());
    private static final int COMPLETIONS_AT_A_TIME = 64;

    private static final int BATCH = 32;

    private final VerbsDevice device;
    private final ProtectionDomain domain;
    private final CompletionQueue completions;
    private final long handle;
    private final int capacity;
    private final Map<Integer, VerbsQueuePair> queuePairs = new HashMap<>();
    private final Deque<CompletedReceive> completed = new ArrayDeque<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private boolean listening = true;
    private boolean lost;
    /** Guards the fields below. */
    private final Object lock = new Object();

    private final WorkRequestBuffer buffer = WorkRequestBuffer.ofReceives(BATCH);
    private final Deque<ReceiveRequest> waiting = new ArrayDeque<>();
    private final Map<Long, ReceiveRequest> posted = new HashMap<>();
    private long nextSequence;
    private boolean destroyed;

    private VerbsSharedReceives(VerbsDevice device, ProtectionDomain domain, int capacity) throws NativeException {
        this.device = device;
        this.domain = domain;
        this.capacity = capacity;
        completions = CompletionQueue.create(device, this, capacity, new CompletionQueue.Batch(COMPLETIONS_AT_A_TIME));
        try {
            handle = Libibverbs.createSharedReceiveQueue(domain.handle(), completions.handle(), capacity);
        } catch (NativeException e) {
            CompletionQueue.destroy(completions);
            throw e;
        }
    }

    /**
     * On the loop: creates an empty queue with its listener as user, in the domain that the device's connections share.
     *
     * @param wanted the number of Receives wanted, lowered to that of the device
     * @throws RdmaException NO_RESOURCES if the device has no more of these queues
     */
    public static VerbsSharedReceives on(VerbsDevice device, int wanted) throws RdmaException {
        ProtectionDomain domain = device.sharedDomain();
        DeviceCapabilities capabilities = device.capabilities();
        int capacity = Math.min(wanted, Math.min(capabilities.sharedReceives(), capabilities.completions()));
        try {
            VerbsSharedReceives created = new VerbsSharedReceives(device, domain, capacity);
            device.attach(created);
            device.io().activate(created);
            return created;
        } catch (NativeException e) {
            throw new RdmaException(
                    Reason.NO_RESOURCES, device.name() + ": no shared receive queue: " + e.getMessage(), e);
        }
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public void postReceive(ReceiveRequest receive) {
        VerbsRegion.ofSink(receive.sink());
        if (post(receive)) {
            device.counters().sharedReceivesPosted(1);
        }
    }

    /** Posts a Receive, now or when there is room. @return false if the queue has been destroyed and the Receive is ignored */
    private boolean post(ReceiveRequest receive) {
        synchronized (lock) {
            if (destroyed) {
                return false;
            }
            waiting.add(receive);
            transmit();
            return true;
        }
    }

    /** Posts as many waiting Receives as the device has room for. */
    private void transmit() {
        while (!waiting.isEmpty() && posted.size() < capacity) {
            buffer.clear();
            long first = nextSequence;
            while (!buffer.isFull() && !waiting.isEmpty() && posted.size() < capacity) {
                fill(waiting.remove());
            }
            if (buffer.count() > 0 && !postBatch(first)) {
                return;
            }
        }
    }

    private void fill(ReceiveRequest receive) {
        try {
            buffer.addReceive(nextSequence, receive.sink(), domain);
            posted.put(nextSequence++, receive);
        } catch (RdmaException e) {
            LOG.log(Level.ERROR, device.name() + ": a Receive cannot be posted", e);
        }
    }

    /** Posts the requests written down. Returns whether the device took all of them; the others wait again. */
    private boolean postBatch(long first) {
        int taken = 0;
        try {
            taken = Libibverbs.postSharedReceive(handle, buffer.bytes(), buffer.count());
        } catch (NativeException e) {
            LOG.log(Level.ERROR, device.name() + ": posting to a shared receive queue failed", e);
        }
        for (long sequence = first + buffer.count() - 1; sequence >= first + taken; sequence--) {
            ReceiveRequest refused = posted.remove(sequence);
            if (refused != null) {
                waiting.addFirst(refused);
            }
        }
        return taken == buffer.count();
    }

    @Override
    public CompletionStage<Void> closed() {
        return closed.minimalCompletionStage();
    }

    /** On the loop: the listener has closed or no longer offers the queue. Idempotent. */
    public void listenerClosed() {
        listening = false;
        closeIfUnused();
    }

    /** The native handle, for queue pairs. */
    long handle() {
        return handle;
    }

    /** Adds a queue pair, which takes Receives from this queue. */
    void attach(VerbsQueuePair queuePair) {
        queuePairs.put(queuePair.number(), queuePair);
    }

    /**
     * Checks that new queue pairs can use this queue. A request to which the queue was offered may be accepted later.
     *
     * @throws RdmaException DISCONNECTED if they cannot
     */
    void requireOpen() throws RdmaException {
        if (lost || closed.isDone()) {
            throw new RdmaException(
                    Reason.DISCONNECTED, "the shared receive queue has failed, or its listener has been closed");
        }
    }

    /** On the loop: whether the listener still offers the queue to connection requests. */
    public boolean isOffered() {
        return listening;
    }

    /** Removes a queue pair that has been destroyed. All Receives that it took have been reported. */
    void detach(VerbsQueuePair queuePair) {
        queuePairs.remove(queuePair.number());
        closeIfUnused();
    }

    /** Destroys the queue when its last user is gone. If the device does not release the Receives, their memory is not returned to the consumer. */
    private void closeIfUnused() {
        if (!listening && queuePairs.isEmpty() && !closed.isDone() && destroy()) {
            device.detach(this);
            closed.complete(null);
        }
    }

    /** Destroys the queue; may be tried again if it fails. @return whether the device no longer accesses memory of Receives */
    private boolean destroy() {
        synchronized (lock) {
            destroyed = true;
            try {
                Libibverbs.destroySharedReceiveQueue(handle);
            } catch (NativeException e) {
                LOG.log(
                        Level.WARNING,
                        device.name() + ": a shared receive queue cannot be destroyed, and its memory stays registered",
                        e);
                return false;
            }
            posted.clear();
            waiting.clear();
        }
        CompletionQueue.destroy(completions);
        return true;
    }

    @Override
    public boolean poll() {
        return !closed.isDone() && reap() > 0;
    }

    /** Takes all completions. Called before a queue pair is destroyed, because its completions are lost then. */
    void drain() {
        int taken = 0;
        int count;
        do {
            count = closed.isDone() ? 0 : reap();
            taken += count;
        } while (count > 0 && taken < capacity);
    }

    /** Takes a batch of completions, passes their Receives on, and posts Receives that waited for room. Returns the number of completions. */
    private int reap() {
        int count;
        try {
            count = completions.poll();
        } catch (NativeException e) {
            LOG.log(Level.ERROR, this + ": completions cannot be taken", e);
            return 0;
        }
        synchronized (lock) {
            for (int i = 0; i < count; i++) {
                ReceiveRequest receive = posted.remove(completions.batch().sequence(i));
                if (receive == null) {
                    throw new IllegalStateException("the device reports a Receive that it has not been given");
                }
                completed.add(CompletedReceive.of(completions.batch(), i, receive));
            }
            if (!waiting.isEmpty()) {
                transmit();
            }
        }
        dispatch();
        return count;
    }

    /** Passes the Receives on, in order. A queue pair that ends during this drains the queue, which passes on the rest. */
    private void dispatch() {
        while (!completed.isEmpty()) {
            int number = completed.element().queuePair();
            List<CompletedReceive> batch = new ArrayList<>();
            while (!completed.isEmpty() && completed.element().queuePair() == number) {
                batch.add(completed.remove());
            }
            VerbsQueuePair queuePair = queuePairs.get(number);
            if (queuePair == null) {
                repost(batch);
            } else {
                queuePair.received(batch);
            }
        }
    }

    /** Posts again the Receives of a connection whose handler was never called. */
    void repost(List<CompletedReceive> receives) {
        receives.forEach(receive -> post(receive.receive()));
    }

    @Override
    public void arm() {
        try {
            completions.arm();
        } catch (NativeException e) {
            LOG.log(Level.ERROR, this + ": no completion events", e);
        }
    }

    @Override
    public boolean owns(long nativeQueue) {
        return nativeQueue == handle || nativeQueue == completions.handle();
    }

    /** Ends the queue's connections and stops offering it. The listener then creates another queue. */
    @Override
    public void lost(RdmaException.Reason reason, String why) {
        lost = true;
        LOG.log(Level.ERROR, "{0}: {1}; its {2} connections end", this, why, queuePairs.size());
        List.copyOf(queuePairs.values()).forEach(queuePair -> queuePair.lost(reason, why));
        listenerClosed();
    }

    @Override
    public void receivesTaken() {}

    @Override
    public void deviceRemoved() {
        listenerClosed();
    }

    @Override
    public String toString() {
        return "verbs shared receive queue on " + device.name();
    }
}
