// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.time.Duration;

/** How many calls of a server are not over: their replies have not been sent. Safe for use by several threads. */
final class UnansweredCalls {
    private int count;
    /** How many of them are answered by threads that wait for the others. */
    private int waiting;

    synchronized void begin() {
        count++;
    }

    synchronized void end() {
        count--;
        notifyAll();
    }

    /**
     * Waits until all are over but the calls of those who wait: they cannot end before their handlers do.
     *
     * @param own calls that the current thread is answering
     * @return false if they are not over within the limit
     */
    synchronized boolean awaitOthers(int own, Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        waiting += own;
        notifyAll();
        try {
            while (count > waiting) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                wait(left / 1_000_000 + 1);
            }
            return true;
        } finally {
            waiting -= own;
        }
    }
}
