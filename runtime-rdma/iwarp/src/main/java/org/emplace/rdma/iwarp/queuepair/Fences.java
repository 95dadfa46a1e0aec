// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.iwarp.memory.Exposure;
import org.emplace.rdma.iwarp.tcp.Endpoint;
import org.emplace.reactor.Timers;

/**
 * Revoked access that a transfer still uses. The transfer may end by itself, within a bound; then the connection is cut, so that {@link
 * RemoteAccess#revoke} always completes. Used on the loop.
 */
final class Fences {
    private final Endpoint endpoint;
    private final Consumer<RdmaException> cut;
    private final Map<Exposure, Timers.Timer> waiting = new HashMap<>();
    private boolean closed;

    /** @param cut ends the connection at once, for the reason given */
    Fences(Endpoint endpoint, Consumer<RdmaException> cut) {
        this.endpoint = endpoint;
        this.cut = cut;
    }

    /** Sees to it that {@link Exposure#fenced} is called once no transfer uses the exposure. */
    void fence(Exposure exposure) {
        if (closed || !exposure.isUsed()) {
            exposure.fenced();
            return;
        }
        waiting.put(exposure, endpoint.loop().schedule(endpoint.drainTimeout(), () -> waitEnds(exposure)));
    }

    private void waitEnds(Exposure exposure) {
        waiting.remove(exposure);
        if (!exposure.isFenced()) {
            cut.accept(new RdmaException(
                    Reason.TIMED_OUT, endpoint + ": a transfer to or from revoked memory did not end in time"));
            exposure.fenced();
        }
    }

    /** The connection is over: no transfer uses anything any more. */
    void close() {
        closed = true;
        waiting.values().forEach(Timers.Timer::cancel);
        waiting.keySet().forEach(Exposure::fenced);
        waiting.clear();
    }
}
