// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The threads that are in operations of a channel, which closing the channel wakes by an interrupt. Safe for use by several threads. */
final class BlockedThreads {
    private final Map<Thread, Integer> inside =
            new HashMap<>(); // and in how many operations: a transfer may read its own channel
    private final Set<Thread> woken = new HashSet<>();

    /** Called by a thread that begins an operation. */
    synchronized void enter() {
        inside.merge(Thread.currentThread(), 1, Integer::sum);
    }

    /** Wakes the threads, except the caller, and waits until they have ended. Returns whether the caller was interrupted meanwhile. */
    synchronized boolean end() {
        boolean interrupted = false;
        @Nullable Integer own = inside.remove(Thread.currentThread());
        for (Thread thread : inside.keySet()) {
            woken.add(thread);
            thread.interrupt();
        }
        while (!inside.isEmpty()) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (own != null) {
            inside.put(Thread.currentThread(), own);
        }
        return interrupted;
    }

    /** Whether the current thread has been interrupted by {@link #end}. */
    synchronized boolean isWoken() {
        return woken.contains(Thread.currentThread());
    }

    /** Called by a thread that ends its operation. Clears the interrupt of {@link #end}, unless it still concerns an operation around this one. */
    synchronized void leave() {
        Thread thread = Thread.currentThread();
        if (inside.merge(thread, -1, Integer::sum) > 0) {
            if (woken.contains(thread)) {
                thread.interrupt();
            }
            return;
        }
        inside.remove(thread);
        notifyAll();
        if (woken.remove(thread)) {
            Thread.interrupted();
        }
    }
}
