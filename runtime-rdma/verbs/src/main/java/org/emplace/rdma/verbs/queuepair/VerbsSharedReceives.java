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
import org.emplace.rdma.ReceiveRequest;
import org.emplace.rdma.SharedReceiveQueue;
import org.emplace.rdma.verbs.device.VerbsDevice;
import org.emplace.rdma.verbs.event.CompletionLoop;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.memory.VerbsRegion;

/**
 * A listener's shared receive queue on one device. Its own completion queue has an entry for each Receive, so that no flood can overrun it.
 * Passes each completed Receive to the queue pair that took it. Any thread may post Receives, which takes the queue's lock; everything else is
 * done on the loop. The queue lives as long as it has users: the listener and queue pairs.
 */
public final class VerbsSharedReceives implements SharedReceiveQueue, CompletionLoop.Source, VerbsDevice.User {
    private static final System.Logger LOG = System.getLogger(VerbsSharedReceives.class.getName());
    private static final int COMPLETIONS_AT_A_TIME = 64;

    private final VerbsDevice device;
    private final NativeSharedReceiveQueue queue;
    private final Map<Integer, VerbsConnection> connections = new HashMap<>();
    private final Deque<NativeSharedReceiveQueue.Ended> ended = new ArrayDeque<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private boolean listening = true;
    private boolean lost;

    private VerbsSharedReceives(VerbsDevice device, int capacity) throws RdmaException {
        this.device = device;
        queue = NativeSharedReceiveQueue.create(device, capacity, this, new CompletionBuffer(COMPLETIONS_AT_A_TIME));
    }

    /**
     * On the loop: creates an empty queue with its listener as user.
     *
     * @param capacity the number of Receives wanted, lowered to that of the device
     * @throws RdmaException NO_RESOURCES if the device has no more of these queues
     */
    public static VerbsSharedReceives on(VerbsDevice device, int capacity) throws RdmaException {
        VerbsSharedReceives created = new VerbsSharedReceives(device, capacity);
        device.attach(created);
        device.loop().activate(created);
        return created;
    }

    @Override
    public int capacity() {
        return queue.capacity();
    }

    @Override
    public void postReceive(ReceiveRequest receive) {
        VerbsRegion.ofSink(receive.sink());
        if (queue.post(receive)) {
            device.counters().sharedReceivesPosted(1);
        }
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
        return queue.handle();
    }

    /** Adds a connection, whose queue pair takes Receives from this queue. */
    void attach(VerbsConnection connection) {
        connections.put(connection.queuePairNumber(), connection);
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

    /** Removes a connection. Its queue pair has been destroyed and all Receives that it took have been reported. */
    void detach(VerbsConnection connection) {
        connections.remove(connection.queuePairNumber());
        closeIfUnused();
    }

    /** Destroys the queue when its last user is gone. If the device does not release the Receives, their memory is not returned to the consumer. */
    private void closeIfUnused() {
        if (!listening && connections.isEmpty() && !closed.isDone() && queue.destroy()) {
            device.detach(this);
            closed.complete(null);
        }
    }

    @Override
    public boolean poll() {
        return !closed.isDone() && take() > 0;
    }

    /** Takes all completions. Called before a queue pair is destroyed, because its completions are lost then. */
    void drain() {
        int taken = 0;
        int count;
        do {
            count = closed.isDone() ? 0 : take();
            taken += count;
        } while (count > 0 && taken < capacity());
    }

    private int take() {
        int count;
        try {
            count = queue.poll(ended);
        } catch (NativeException e) {
            LOG.log(Level.ERROR, this + ": completions cannot be taken", e);
            return 0;
        }
        dispatch();
        return count;
    }

    /** Passes the Receives on, in order. A connection that ends during this drains the queue, which passes on the rest. */
    private void dispatch() {
        while (!ended.isEmpty()) {
            int number = ended.element().queuePair();
            List<NativeSharedReceiveQueue.Ended> batch = new ArrayList<>();
            while (!ended.isEmpty() && ended.element().queuePair() == number) {
                batch.add(ended.remove());
            }
            VerbsConnection connection = connections.get(number);
            if (connection == null) {
                repost(batch);
            } else {
                connection.received(batch);
            }
        }
    }

    /** Posts again the Receives of a connection whose handler was never called. */
    void repost(List<NativeSharedReceiveQueue.Ended> receives) {
        receives.forEach(receive -> queue.post(receive.receive()));
    }

    @Override
    public void arm() {
        try {
            queue.arm();
        } catch (NativeException e) {
            LOG.log(Level.ERROR, this + ": no completion events", e);
        }
    }

    @Override
    public boolean owns(long nativeQueue) {
        return queue.isOf(nativeQueue);
    }

    /** Ends the queue's connections and stops offering it. The listener then creates another queue. */
    @Override
    public void lost(RdmaException.Reason reason, String why) {
        lost = true;
        LOG.log(Level.ERROR, "{0}: {1}; its {2} connections end", this, why, connections.size());
        List.copyOf(connections.values()).forEach(connection -> connection.lost(reason, why));
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
