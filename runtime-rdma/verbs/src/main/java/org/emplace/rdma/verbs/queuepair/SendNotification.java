// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.rdma.verbs.event.CompletionHandler;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.reactor.EventLoop;

/**
 * Decides how the loop finds completions of send requests. It requests an event only if somebody waits for the completion. A Send's completion only
 * returns its memory, and an event for each would wake the loop once more per call. So the loop finds it together with other completions of the
 * connection, or at a later poll. Safe for use by several threads.
 */
final class SendNotification {
    private static final Duration SOON = Duration.ofMillis(50);

    private final CompletionHandler io;
    private final EventLoop loop;
    private final CompletionHandler.Source connection;
    private final Arming arming;
    private final AtomicInteger outstanding = new AtomicInteger();
    private final AtomicInteger awaited = new AtomicInteger();
    private final AtomicBoolean polling = new AtomicBoolean();
    /** Whether a request has been posted since the last {@link #poll}. */
    private volatile boolean posted;

    private volatile boolean roomWanted;

    /** Requests an event for the next completion of a send request. */
    @FunctionalInterface
    interface Arming {
        void arm() throws NativeException;
    }

    /** Creates the notification for a connection that {@code io} polls. */
    SendNotification(CompletionHandler io, CompletionHandler.Source connection, Arming arming) {
        this.io = io;
        loop = io.loop();
        this.connection = connection;
        this.arming = arming;
    }

    /** Counts a request that is about to be posted to the device. */
    void posting(SendItem item) {
        posted = true;
        outstanding.incrementAndGet();
        if (item.isAwaited()) {
            awaited.incrementAndGet();
        }
    }

    /** Counts a request whose completion has been found. */
    void completed(SendItem item) {
        outstanding.decrementAndGet();
        if (item.isAwaited()) {
            awaited.decrementAndGet();
        }
    }

    /**
     * Requests an event if one is needed. Called after {@link #posting} and before the requests are posted: afterward they may already have
     * completed.
     */
    void armIfNeeded() throws NativeException {
        if (loop.isCurrent()) {
            // The loop polls the connection then, and arms it before it sleeps.
            io.activate(connection);
        } else if (isAwaited()) {
            arming.arm();
        }
        // An event reports only one completion, and others may follow it.
        if (outstanding.get() > awaited.get()) {
            startPolling();
        }
    }

    /** Sets whether requests wait for room in the send queue, which completions make. */
    void wantRoom(boolean wanted) {
        roomWanted = wanted;
        if (wanted) {
            loop.execute(() -> io.activate(connection));
        }
    }

    /** Whether an event must be requested before the loop sleeps. */
    boolean isAwaited() {
        return awaited.get() > 0 || roomWanted;
    }

    private void startPolling() {
        if (polling.compareAndSet(false, true)) {
            loop.execute(this::pollLater);
        }
    }

    private void pollLater() {
        loop.schedule(SOON, this::poll);
    }

    /** Polls, and repeats it later as long as requests are posted, so that few of them have to wake the loop to start it. */
    private void poll() {
        boolean busy = posted;
        posted = false;
        if (outstanding.get() > 0) {
            io.activate(connection);
            busy = true;
        }
        if (busy) {
            pollLater();
            return;
        }
        polling.set(false);
        if (outstanding.get() > 0) {
            startPolling();
        }
    }
}
