// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.connection;

import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.verbs.device.VerbsDevice;
import org.emplace.rdma.verbs.queuepair.VerbsSharedReceives;
import org.jspecify.annotations.Nullable;

/** The shared receive queues of one listener, one for each device that has brought a request. Used on the loop. */
final class SharedReceiveQueues {
    private static final System.Logger LOG = System.getLogger(SharedReceiveQueues.class.getName());

    private final SetUp setUp;
    private final int capacity;
    private final Map<VerbsDevice, VerbsSharedReceives> queues = new HashMap<>();
    private boolean closed;

    /** @param capacity of each, as the consumer wants it; 0 for none */
    SharedReceiveQueues(SetUp setUp, int capacity) {
        this.setUp = setUp;
        this.capacity = capacity;
    }

    /** The queue on a device; null if there is to be none, or can be none. */
    @Nullable
    VerbsSharedReceives on(VerbsDevice device) {
        VerbsSharedReceives known = queues.get(device);
        if (known != null && known.isOffered()) {
            return known;
        }
        if (closed || capacity == 0 || !setUp.sharesReceives(device)) {
            return null;
        }
        try {
            VerbsSharedReceives created = VerbsSharedReceives.on(device, capacity);
            queues.put(device, created);
            return created;
        } catch (RdmaException e) {
            LOG.log(Level.WARNING, "connections have Receives of their own: {0}", e.getMessage());
            return null;
        }
    }

    /** The listener is closed. Idempotent. */
    void close() {
        closed = true;
        queues.values().forEach(VerbsSharedReceives::listenerClosed);
        queues.clear();
    }
}
