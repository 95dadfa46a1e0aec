// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import java.util.ArrayDeque;
import java.util.Queue;
import org.emplace.reactor.LogSampler;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a context that a server may not have seen yet: as many as its sequence window has numbers (RFC 2203 section 5.3.3.1). Further calls are
 * held back, in their order. Safe for use by several threads.
 */
final class ClientWindow {
    private static final System.Logger LOG = System.getLogger(ClientWindow.class.getName());

    /** As many calls as wait for a credit at most. */
    private static final int MOST_HELD = 16 * 1024;

    private final Queue<Runnable> held = new ArrayDeque<>();
    private final LogSampler failures = new LogSampler();
    private int free;
    private boolean isReleasing;

    /** @param size the most calls */
    ClientWindow(int size) {
        free = size;
    }

    /**
     * Starts a call at once, or when enough others have ended. It must {@link #leave} when it has ended, also if it throws something.
     *
     * @return false if too many are held back already; then it is never started
     */
    boolean enter(Runnable call) {
        synchronized (this) {
            if (free == 0 || !held.isEmpty()) {
                return held.size() < MOST_HELD && held.add(call);
            }
            free--;
        }
        call.run();
        return true;
    }

    /** Says that a call has ended. Starts others on this thread, one after the other, so that many which fail at once do not nest. Throws nothing. */
    void leave() {
        synchronized (this) {
            free++;
            if (isReleasing) {
                return;
            }
            isReleasing = true;
        }
        for (Runnable next = next(); next != null; next = next()) {
            try {
                next.run();
            } catch (RuntimeException | Error broken) {
                failures.failure(LOG, "a call that was held back was not started", broken);
            }
        }
    }

    private synchronized @Nullable Runnable next() {
        if (free == 0 || held.isEmpty()) {
            isReleasing = false;
            return null;
        }
        free--;
        return held.remove();
    }
}
