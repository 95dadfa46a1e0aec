// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.lang.System.Logger.Level;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.verbs.device.DeviceCapabilities;
import org.emplace.rdma.verbs.device.VerbsDevice;
import org.emplace.rdma.verbs.event.CompletionSource;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.memory.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/** The device's queue pair and its completion queue: made together, destroyed together. Used on the loop. */
final class NativeQueuePair {
    private static final System.Logger LOG = System.getLogger(NativeQueuePair.class.getName());

    private final VerbsDevice device;
    private final long completionQueue;
    private final long handle;
    private final int number;
    private final QueuePairLimits limits;

    private NativeQueuePair(VerbsDevice device, long completionQueue, long handle, int number, QueuePairLimits limits) {
        this.device = device;
        this.completionQueue = completionQueue;
        this.handle = handle;
        this.number = number;
        this.limits = limits;
    }

    /**
     * Makes both.
     *
     * @param id the connection identifier
     * @param wanted less is given where the device has less
     * @param shared the shared receive queue to take from; null for a receive queue of its own
     * @param source to be activated by completions
     * @throws RdmaException NO_RESOURCES if the device has no more of them
     */
    static NativeQueuePair create(
            VerbsDevice device,
            long id,
            ProtectionDomain domain,
            QueuePairLimits wanted,
            @Nullable SharedReceives shared,
            CompletionSource source)
            throws RdmaException {
        DeviceCapabilities capabilities = device.capabilities();
        int sends = Math.min(wanted.sends(), capabilities.workRequests());
        int receives = shared == null ? Math.min(wanted.receives(), capabilities.workRequests()) : 0;
        int elements = Math.min(wanted.elements(), capabilities.elements());
        try {
            long queue = device.createCompletionQueue(source, Math.min(sends + receives, capabilities.completions()));
            try {
                int[] capacities = {sends, receives, elements, shared == null ? 1 : 0, wanted.inline()};
                long queuePair = create(id, domain, queue, shared == null ? 0 : shared.handle(), capacities);
                // A device may round up, but then not all of the completion queue's entries would be ours to fill.
                QueuePairLimits given = new QueuePairLimits(sends, receives, elements, capacities[4]);
                return new NativeQueuePair(device, queue, queuePair, Libibverbs.queuePairNumber(queuePair), given);
            } catch (NativeException e) {
                device.destroyCompletionQueue(queue);
                throw e;
            }
        } catch (NativeException e) {
            throw new RdmaException(Reason.NO_RESOURCES, device.name() + ": no queue pair: " + e.getMessage(), e);
        }
    }

    private static long create(long id, ProtectionDomain domain, long queue, long shared, int[] capacities)
            throws NativeException {
        int[] wanted = capacities.clone();
        try {
            return Libibverbs.createQueuePair(id, domain.handle(), queue, shared, capacities);
        } catch (NativeException e) {
            // Devices do not say how much they take inline; nothing always works.
            wanted[4] = 0;
            System.arraycopy(wanted, 0, capacities, 0, wanted.length);
            return Libibverbs.createQueuePair(id, domain.handle(), queue, shared, capacities);
        }
    }

    long handle() {
        return handle;
    }

    int number() {
        return number;
    }

    QueuePairLimits limits() {
        return limits;
    }

    int poll(CompletionBuffer completions) throws NativeException {
        return completions.poll(completionQueue);
    }

    void arm() throws NativeException {
        Libibverbs.requestNotification(completionQueue);
    }

    /** Once this returns, the device touches no memory for the queue pair. */
    void destroy() {
        try {
            Libibverbs.destroyQueuePair(handle);
            device.destroyCompletionQueue(completionQueue);
        } catch (NativeException e) {
            LOG.log(Level.WARNING, device.name() + ": a queue pair stays", e);
        }
    }
}
