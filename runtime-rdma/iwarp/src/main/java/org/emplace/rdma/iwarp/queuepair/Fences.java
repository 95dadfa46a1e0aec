// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.iwarp.memory.Exposure;
import org.emplace.reactor.LoopTask;
import org.emplace.reactor.Timers;

/**
 * Revoked exposures that a transfer still uses. If the transfer does not end in time, the connection is closed, so that {@link RemoteAccess#revoke}
 * always completes. Used on the loop.
 */
final class Fences {
    private final Endpoint endpoint;
    private final Consumer<RdmaException> abort;
    private final Map<Exposure, Timers.Timer> waiting = new HashMap<>();
    private boolean closed;

    /** @param abort ends the connection at once, for a given reason */
    Fences(Endpoint endpoint, Consumer<RdmaException> abort) {
        this.endpoint = endpoint;
        this.abort = abort;
    }

    /** Calls {@link Exposure#fenced} once no transfer uses the exposure. */
    void fence(Exposure exposure) {
        if (closed || !exposure.isUsed()) {
            exposure.fenced();
            return;
        }
        Timers.Timer timer = endpoint.loop().schedule(endpoint.drainTimeout(), new LoopTask() {
            @Override
            public void run() {
                waitEnds(exposure);
            }

            @Override
            public void failed(Throwable cause) {
                waitEnds(exposure);
            }
        });
        waiting.put(exposure, timer);
    }

    private void waitEnds(Exposure exposure) {
        waiting.remove(exposure);
        if (!exposure.isFenced()) {
            abort.accept(new RdmaException(
                    Reason.TIMED_OUT, endpoint + ": a transfer to or from revoked memory did not end in time"));
            exposure.fenced();
        }
    }

    /** Completes all fences. The connection has ended, so no transfer is in progress. */
    void close() {
        closed = true;
        waiting.values().forEach(Timers.Timer::cancel);
        waiting.keySet().forEach(Exposure::fenced);
        waiting.clear();
    }
}
