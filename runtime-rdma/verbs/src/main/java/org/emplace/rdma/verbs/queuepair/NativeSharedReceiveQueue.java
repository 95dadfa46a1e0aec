// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.ReceiveRequest;
import org.emplace.rdma.verbs.device.VerbsDevice;
import org.emplace.rdma.verbs.event.CompletionLoop;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.memory.ProtectionDomain;

/** A shared receive queue of the device with its completion queue and posted Receives. Any thread may post; the rest is used on the loop. */
final class NativeSharedReceiveQueue {
    /**
     * A completed Receive of a shared queue.
     *
     * @param queuePair the number of the queue pair that took it
     * @param length bytes received
     * @param mayInvalidate whether the peer's Send may have invalidated {@code key}; it has if that key was exposed
     */
    record Ended(int queuePair, ReceiveRequest receive, WorkStatus status, int length, boolean mayInvalidate, int key) {

        static Ended of(CompletionBuffer completions, int index, ReceiveRequest receive) {
            return new Ended(
                    completions.queuePair(index),
                    receive,
                    completions.status(index),
                    completions.length(index),
                    completions.mayInvalidate(index),
                    completions.invalidatedKey(index));
        }
    }

    private static final System.Logger LOG = System.getLogger(NativeSharedReceiveQueue.class.getName());
    private static final int BATCH = 32;

    private final VerbsDevice device;
    private final ProtectionDomain domain;
    private final long completionQueue;
    private final CompletionBuffer completions;
    private final long handle;
    private final int capacity;
    private final ReceiveBuffer buffer = new ReceiveBuffer(BATCH);
    private final Deque<ReceiveRequest> waiting = new ArrayDeque<>();
    private final Map<Long, ReceiveRequest> posted = new HashMap<>();
    private long nextSequence;
    private boolean destroyed;

    private NativeSharedReceiveQueue(
            VerbsDevice device,
            ProtectionDomain domain,
            long completionQueue,
            CompletionBuffer completions,
            long handle,
            int capacity) {
        this.device = device;
        this.domain = domain;
        this.completionQueue = completionQueue;
        this.completions = completions;
        this.handle = handle;
        this.capacity = capacity;
    }

    /**
     * Creates both queues, in the domain that the device's connections share.
     *
     * @param wanted the number of Receives wanted, lowered to that of the device
     * @param source activated by completions
     * @param completions filled by {@link #poll}
     * @throws RdmaException NO_RESOURCES if the device has no more of these queues
     */
    static NativeSharedReceiveQueue create(
            VerbsDevice device, int wanted, CompletionLoop.Source source, CompletionBuffer completions)
            throws RdmaException {
        ProtectionDomain domain = device.sharedDomain();
        int capacity = Math.min(
                wanted,
                Math.min(
                        device.capabilities().sharedReceives(),
                        device.capabilities().completions()));
        try {
            long completionQueue = device.createCompletionQueue(source, capacity, completions.bytes());
            try {
                long handle = Libibverbs.createSharedReceiveQueue(domain.handle(), completionQueue, capacity);
                return new NativeSharedReceiveQueue(device, domain, completionQueue, completions, handle, capacity);
            } catch (NativeException e) {
                device.destroyCompletionQueue(completionQueue);
                throw e;
            }
        } catch (NativeException e) {
            throw new RdmaException(
                    Reason.NO_RESOURCES, device.name() + ": no shared receive queue: " + e.getMessage(), e);
        }
    }

    long handle() {
        return handle;
    }

    int capacity() {
        return capacity;
    }

    /** Whether a native handle is that of this queue or of its completion queue. */
    boolean isOf(long queue) {
        return queue == handle || queue == completionQueue;
    }

    /** Posts a Receive, now or when there is room. @return false if the queue has been destroyed and the Receive is ignored */
    synchronized boolean post(ReceiveRequest receive) {
        if (destroyed) {
            return false;
        }
        waiting.add(receive);
        transmit();
        return true;
    }

    /** Takes at most a buffer of completions and adds their Receives to {@code ended}. Returns the number of completions. */
    int poll(Collection<Ended> ended) throws NativeException {
        int count = completions.poll(completionQueue);
        synchronized (this) {
            for (int i = 0; i < count; i++) {
                ReceiveRequest receive = posted.remove(completions.sequence(i));
                if (receive == null) {
                    throw new IllegalStateException("the device reports a Receive that it has not been given");
                }
                ended.add(Ended.of(completions, i, receive));
            }
            if (!waiting.isEmpty()) {
                transmit();
            }
        }
        return count;
    }

    void arm() throws NativeException {
        Libibverbs.requestNotification(completionQueue);
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
            buffer.add(nextSequence, receive.sink(), domain);
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

    /**
     * Destroys both queues. Their queue pairs must have been destroyed. May be called again if it fails.
     *
     * @return whether the device no longer accesses memory of Receives; if not, that memory must be kept
     */
    synchronized boolean destroy() {
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
        try {
            device.destroyCompletionQueue(completionQueue);
        } catch (NativeException e) {
            LOG.log(Level.WARNING, device.name() + ": a completion queue cannot be destroyed", e);
        }
        return true;
    }
}
