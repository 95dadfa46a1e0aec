// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.util.ArrayList;
import java.util.List;
import org.emplace.rdma.RdmaException;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.memory.PooledBuffer;

/** What one incoming call holds until its answer has left: pooled buffers, and the Receive that brought it. Safe for use by several threads. */
final class CallResources {
    private final Link link;
    private final CallLifetime lifetime = new CallLifetime();
    private final ChunkFetcher fetcher;
    private final List<Runnable> releases = new ArrayList<>();
    private boolean released;

    CallResources(Link link) {
        this.link = link;
        this.fetcher = new ChunkFetcher(link);
    }

    Link link() {
        return link;
    }

    CallLifetime lifetime() {
        return lifetime;
    }

    /**
     * The call is answered: see {@link CallLifetime#answer}. Gives its credit back before the peer can know.
     *
     * @param sending sends the answer, if there is one
     */
    void answer(Runnable sending) {
        lifetime.answer(() -> {
            link.receives().credits().giveBack();
            sending.run();
        });
    }

    ChunkFetcher fetcher() {
        return fetcher;
    }

    /**
     * A pooled buffer that the call keeps to its end.
     *
     * @throws IllegalStateException if the call has been answered
     */
    PooledBuffer acquire(int size) throws RdmaException {
        lifetime.useBegins();
        try {
            PooledBuffer buffer = link.memory().pool().acquire(size);
            keep(buffer::release);
            return buffer;
        } finally {
            lifetime.useEnded();
        }
    }

    /** Has something released at the call's end; at once if that is past. */
    void keep(Runnable release) {
        synchronized (this) {
            if (!released) {
                releases.add(release);
                return;
            }
        }
        release.run();
    }

    /** The answer has left, or there is none. Idempotent. */
    synchronized void release() {
        released = true;
        releases.forEach(Runnable::run);
        releases.clear();
    }
}
