// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.lang.System.Logger.Level;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.verbs.device.DeviceCapabilities;
import org.emplace.rdma.verbs.device.VerbsDevice;
import org.emplace.rdma.verbs.event.CompletionLoop;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.memory.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair of the device with its completion queues: one for its send queue, and one for its own receive queue. They are created and destroyed
 * together. Used on the loop.
 */
final class NativeQueuePair {
    /**
     * The capacities of a queue pair.
     *
     * @param sends send requests that the device holds at a time
     * @param receives Receives that the device holds at a time
     * @param elements scatter/gather elements of a send request
     * @param inline inline data of a send request, in bytes
     */
    record Limits(int sends, int receives, int elements, int inline) {
        /**
         * Room for more Receives than consumers post at first. A Receive that waits for room is unknown to the device, and on iWARP a Send that
         * finds no Receive ends the connection.
         */
        private static final int FEWEST_RECEIVES = 512;

        private static final int ELEMENTS = 16;

        /** The limits to request for a connection whose consumer posts {@code receives} Receives at first. */
        static Limits wanted(int sends, int receives, int inline) {
            return new Limits(sends, Math.max(FEWEST_RECEIVES, receives), ELEMENTS, inline);
        }
    }

    private static final System.Logger LOG = System.getLogger(NativeQueuePair.class.getName());
    private static final long NONE = 0;

    private final VerbsDevice device;
    private final long sendCompletions;
    private final long receiveCompletions;
    private final CompletionBuffer completions;
    private final long handle;
    private final int number;
    private final Limits limits;

    private NativeQueuePair(
            VerbsDevice device,
            long sendCompletions,
            long receiveCompletions,
            CompletionBuffer completions,
            long handle,
            int number,
            Limits limits) {
        this.device = device;
        this.sendCompletions = sendCompletions;
        this.receiveCompletions = receiveCompletions;
        this.completions = completions;
        this.handle = handle;
        this.number = number;
        this.limits = limits;
    }

    /**
     * Creates the queue pair and its completion queues.
     *
     * @param id the connection identifier
     * @param wanted the wanted limits, lowered to those of the device
     * @param shared the shared receive queue to use; null for a receive queue of its own
     * @param source activated by completions
     * @param completions filled by {@link #poll}
     * @throws RdmaException NO_RESOURCES if the device has no more queue pairs or completion queues
     */
    static NativeQueuePair create(
            VerbsDevice device,
            long id,
            ProtectionDomain domain,
            Limits wanted,
            @Nullable VerbsSharedReceives shared,
            CompletionLoop.Source source,
            CompletionBuffer completions)
            throws RdmaException {
        DeviceCapabilities capabilities = device.capabilities();
        int entries = capabilities.completions();
        int sends = Math.min(Math.min(wanted.sends(), capabilities.workRequests()), entries);
        int receives = shared == null ? Math.min(Math.min(wanted.receives(), capabilities.workRequests()), entries) : 0;
        int elements = Math.min(wanted.elements(), capabilities.elements());
        long sendCompletions = NONE;
        long receiveCompletions = NONE;
        try {
            sendCompletions = device.createCompletionQueue(source, sends, completions.bytes());
            if (shared == null) {
                receiveCompletions = device.createCompletionQueue(source, receives, completions.bytes());
            }
            int[] capacities = {sends, receives, elements, shared == null ? 1 : 0, wanted.inline()};
            long queuePair = create(
                    id,
                    domain,
                    sendCompletions,
                    receiveCompletions,
                    shared == null ? NONE : shared.handle(),
                    capacities);
            // A device may round up, but the completion queues have entries only for these numbers.
            Limits given = new Limits(sends, receives, elements, capacities[4]);
            int number = Libibverbs.queuePairNumber(queuePair);
            return new NativeQueuePair(
                    device, sendCompletions, receiveCompletions, completions, queuePair, number, given);
        } catch (NativeException e) {
            destroyQueues(device, sendCompletions, receiveCompletions);
            throw new RdmaException(Reason.NO_RESOURCES, device.name() + ": no queue pair: " + e.getMessage(), e);
        }
    }

    private static long create(
            long id,
            ProtectionDomain domain,
            long sendCompletions,
            long receiveCompletions,
            long shared,
            int[] capacities)
            throws NativeException {
        int[] wanted = capacities.clone();
        try {
            return Libibverbs.createQueuePair(
                    id, domain.handle(), sendCompletions, receiveCompletions, shared, capacities);
        } catch (NativeException e) {
            // Devices do not report how many inline bytes they support; 0 always works.
            wanted[4] = 0;
            System.arraycopy(wanted, 0, capacities, 0, wanted.length);
            return Libibverbs.createQueuePair(
                    id, domain.handle(), sendCompletions, receiveCompletions, shared, capacities);
        }
    }

    long handle() {
        return handle;
    }

    int number() {
        return number;
    }

    Limits limits() {
        return limits;
    }

    /** Whether a native handle is that of the queue pair or of one of its completion queues. */
    boolean isOf(long nativeHandle) {
        return nativeHandle == handle
                || nativeHandle == sendCompletions
                || (nativeHandle == receiveCompletions && nativeHandle != NONE);
    }

    /** Takes a batch of completions: first those of the send queue, whose number is bounded by the requests posted here. */
    int poll() throws NativeException {
        int sent = completions.poll(sendCompletions);
        return sent > 0 || receiveCompletions == NONE ? sent : completions.poll(receiveCompletions);
    }

    /** Requests an event for the next completion of the receive queue. */
    void armReceives() throws NativeException {
        if (receiveCompletions != NONE) {
            Libibverbs.requestNotification(receiveCompletions);
        }
    }

    /** On any thread: requests an event for the next completion of the send queue. */
    void armSends() throws NativeException {
        Libibverbs.requestNotification(sendCompletions);
    }

    /** Destroys the queue pair. @return whether the device no longer accesses memory for it; if not, the memory posted must be withdrawn */
    boolean destroy() {
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
        destroyQueues(device, sendCompletions, receiveCompletions);
        return destroyed;
    }

    private static void destroyQueues(VerbsDevice device, long... queues) {
        for (long queue : queues) {
            try {
                if (queue != NONE) {
                    device.destroyCompletionQueue(queue);
                }
            } catch (NativeException e) {
                LOG.log(Level.WARNING, device.name() + ": a completion queue cannot be destroyed", e);
            }
        }
    }
}
