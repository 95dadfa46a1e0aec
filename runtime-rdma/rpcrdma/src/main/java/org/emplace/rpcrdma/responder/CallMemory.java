// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import org.emplace.rdma.RdmaException;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.memory.PooledBuffer;
import org.emplace.rpcrdma.memory.RdmaMemory.RegionPayload;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.emplace.xdr.Payload;

/**
 * The pooled memory that counts for a call against the connection's share of the pool, until the call ends: buffers that the call keeps, and those
 * of a long answer. Safe for use by several threads.
 */
final class CallMemory {
    private final Link link;
    /** This object guards this field and the fields below. */
    private List<PooledBuffer> buffers = List.of();

    private long shared;

    /** Creates an object that holds no memory. */
    CallMemory(Link link) {
        this.link = link;
    }

    /**
     * Counts a pooled buffer of {@code size} bytes against the share until the call ends. Another object holds the buffer.
     *
     * @throws RdmaException NO_RESOURCES if this peer's calls may have no more
     */
    void count(int size) throws RdmaException {
        int capacity = RegisteredPool.capacityFor(size);
        charge(capacity);
        synchronized (this) {
            shared += capacity;
        }
    }

    /**
     * Acquires a pooled buffer of {@code size} bytes, which the call keeps until it ends.
     *
     * @throws RdmaException NO_RESOURCES if the pool has no memory left, or this peer's calls may have no more
     */
    PooledBuffer keep(int size) throws RdmaException {
        int capacity = RegisteredPool.capacityFor(size);
        charge(capacity);
        return keepCharged(size, capacity);
    }

    /** As {@link #keep}, for a buffer whose capacity has been charged already; it is uncharged if this method throws. */
    PooledBuffer keepCharged(int size, int capacity) throws RdmaException {
        PooledBuffer buffer = null;
        boolean isKept = false;
        try {
            buffer = link.memory().pool().acquire(size);
            keep(buffer, capacity);
            isKept = true;
            return buffer;
        } finally {
            if (!isKept) {
                if (buffer != null) {
                    buffer.release();
                }
                link.share().uncharge(capacity);
            }
        }
    }

    /**
     * Reads a part of a file into a buffer that the call keeps until it ends.
     *
     * @param max the most bytes to read; the payload is shorter if the file ends earlier
     * @throws RdmaException as {@link #keep}
     */
    Payload read(FileChannel file, long offset, int max) throws IOException {
        int wanted = (int) Math.min(max, Math.max(0, file.size() - offset));
        PooledBuffer buffer = keep(wanted);
        ByteBuffer sink = buffer.buffer().limit(wanted);
        while (sink.hasRemaining() && file.read(sink, offset + sink.position()) >= 0) {
            // The file may have been truncated since its size was read.
        }
        return new RegionPayload(link.memory(), buffer.segment(0, sink.position()));
    }

    private void charge(int capacity) throws RdmaException {
        link.share().requirePossible(capacity);
        try {
            link.share().charge(capacity);
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

    /** Releases everything. Called once, when the call has ended. */
    synchronized void release() {
        try {
            for (int i = 0; i < buffers.size(); i++) {
                buffers.get(i).release();
            }
        } finally {
            link.share().uncharge(shared);
        }
    }
}
