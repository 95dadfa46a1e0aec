// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.time.Duration;

/** How many calls of a server are not over: their replies have not been sent. Safe for use by several threads. */
final class UnansweredCalls {
    private int count;

    synchronized void begin() {
        count++;
    }

    synchronized void end() {
        count--;
        if (count == 0) {
            notifyAll();
        }
    }

    /** Waits until all are over; false if they are not within the limit. */
    synchronized boolean awaitNone(Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (count > 0) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            wait(left / 1_000_000 + 1);
        }
        return true;
    }
}
