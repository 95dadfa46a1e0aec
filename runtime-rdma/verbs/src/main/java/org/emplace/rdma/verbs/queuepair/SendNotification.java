// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.rdma.verbs.event.CompletionLoop;
import org.emplace.rdma.verbs.jni.NativeException;

/**
 * Has the loop find the ends of send requests. For those that somebody waits for, the device is asked for an event. The end of a Send only gives back
 * its memory, and an event for each would wake the loop once more in every call. So the loop finds it with other completions of the connection, or
 * when it looks for it a little later. Safe for use by several threads.
 */
final class SendNotification {
    private static final Duration SOON = Duration.ofMillis(50);

    private final CompletionLoop loop;
    private final CompletionLoop.Source connection;
    private final Arming arming;
    private final AtomicInteger outstanding = new AtomicInteger();
    private final AtomicInteger awaited = new AtomicInteger();
    private final AtomicBoolean watching = new AtomicBoolean();
    private volatile boolean roomWanted;

    /** Asks the device for an event at the next completion of a send request. */
    @FunctionalInterface
    interface Arming {
        void arm() throws NativeException;
    }

    /** For the requests of a connection that {@code loop} polls. */
    SendNotification(CompletionLoop loop, CompletionLoop.Source connection, Arming arming) {
        this.loop = loop;
        this.connection = connection;
        this.arming = arming;
    }

    /** A request is about to be handed to the device. */
    void begins(SendItem item) {
        outstanding.incrementAndGet();
        if (item.isAwaited()) {
            awaited.incrementAndGet();
        }
    }

    /** The end of a request has been found. */
    void ended(SendItem item) {
        outstanding.decrementAndGet();
        if (item.isAwaited()) {
            awaited.decrementAndGet();
        }
    }

    /**
     * Asks for an event if one is needed. Called before those that {@linkplain #begins begin} are handed over: it is too late once they may have
     * ended.
     */
    void handing() throws NativeException {
        if (loop.isCurrent()) {
            // Polled then, and armed before the loop sleeps.
            loop.activate(connection);
        } else if (isAwaited()) {
            arming.arm();
        }
        // An event is for one completion, which need not be the last.
        if (outstanding.get() > awaited.get()) {
            watch();
        }
    }

    /** Sets whether requests wait for room in the send queue: those that have ended unnoticed, or end next, make room. */
    void wantRoom(boolean wanted) {
        roomWanted = wanted;
        if (wanted) {
            loop.execute(() -> loop.activate(connection));
        }
    }

    /** Whether the loop must not sleep without asking for an event. */
    boolean isAwaited() {
        return awaited.get() > 0 || roomWanted;
    }

    private void watch() {
        if (watching.compareAndSet(false, true)) {
            loop.execute(this::lookLater);
        }
    }

    private void lookLater() {
        loop.schedule(SOON, this::look);
    }

    private void look() {
        if (outstanding.get() > 0) {
            loop.activate(connection);
            lookLater();
            return;
        }
        watching.set(false);
        if (outstanding.get() > 0) {
            watch();
        }
    }
}
