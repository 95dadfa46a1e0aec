// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.emplace.rdma.RdmaException;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.memory.MessageBuffers;
import org.emplace.rpcrdma.memory.PooledBuffer;
import org.emplace.rpcrdma.memory.RegisteredPool;

/**
 * The pooled memory that a call holds until it is over: buffers that it keeps, and what these and its answer take of the share of its connection. Safe for
 * use by several threads.
 */
final class CallMemory implements MessageBuffers {
    private final Link link;
    /** Guarded by this, as is what follows. */
    private List<PooledBuffer> buffers = List.of();

    private long shared;

    /** Holds nothing yet. */
    CallMemory(Link link) {
        this.link = link;
    }

    /** A buffer for the answer, which releases it. What an answer without chunks needs is bounded by the connection's credits, and is not counted. */
    @Override
    public PooledBuffer messageBuffer(int size) throws RdmaException {
        if (size > link.thresholds().send()) {
            int capacity = RegisteredPool.capacityFor(size);
            take(capacity);
            synchronized (this) {
                shared += capacity;
            }
        }
        return link.memory().pool().acquire(size);
    }

    /**
     * A pooled buffer that the call keeps to its end.
     *
     * @throws RdmaException with reason NO_RESOURCES if no memory is left, or none that this peer's calls may have
     */
    PooledBuffer acquire(int size) throws RdmaException {
        int capacity = RegisteredPool.capacityFor(size);
        take(capacity);
        PooledBuffer buffer = null;
        try {
            buffer = link.memory().pool().acquire(size);
        } finally {
            if (buffer == null) {
                link.share().giveBack(capacity);
            }
        }
        keep(buffer, capacity);
        return buffer;
    }

    private void take(int capacity) throws RdmaException {
        try {
            link.share().take(capacity);
        } catch (IOException refused) {
            throw new RdmaException(RdmaException.Reason.NO_RESOURCES, String.valueOf(refused.getMessage()));
        }
    }

    private synchronized void keep(PooledBuffer buffer, int capacity) {
        if (buffers.isEmpty()) {
            buffers = new ArrayList<>(2);
        }
        buffers.add(buffer);
        shared += capacity;
    }

    /** Gives everything back, once: the call is over. */
    synchronized void release() {
        if (!buffers.isEmpty()) {
            buffers.forEach(PooledBuffer::release);
        }
        if (shared > 0) {
            link.share().giveBack(shared);
        }
    }
}
