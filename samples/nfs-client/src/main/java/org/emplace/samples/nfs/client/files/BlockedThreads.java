// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.util.HashSet;
import java.util.Set;

/** The threads that are in operations of a channel, which closing the channel wakes by an interrupt. Safe for use by several threads. */
final class BlockedThreads {
    private final Set<Thread> inside = new HashSet<>();
    private final Set<Thread> woken = new HashSet<>();

    /** Called by a thread that begins an operation. */
    synchronized void enter() {
        inside.add(Thread.currentThread());
    }

    /** Wakes the threads, except the caller, and waits until they have ended. Returns whether the caller was interrupted meanwhile. */
    synchronized boolean end() {
        boolean interrupted = false;
        boolean self = inside.remove(Thread.currentThread());
        for (Thread thread : inside) {
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
        if (self) {
            inside.add(Thread.currentThread());
        }
        return interrupted;
    }

    /** Whether the current thread has been interrupted by {@link #end}. */
    synchronized boolean isWoken() {
        return woken.contains(Thread.currentThread());
    }

    /** Called by a thread that ends its operation. Clears the interrupt of {@link #end}, which no longer concerns the thread. */
    synchronized void leave() {
        inside.remove(Thread.currentThread());
        notifyAll();
        if (woken.remove(Thread.currentThread())) {
            Thread.interrupted();
        }
    }
}
