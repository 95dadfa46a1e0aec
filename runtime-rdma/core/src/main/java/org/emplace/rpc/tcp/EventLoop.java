// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One daemon thread that waits for many channels and tells their handlers when they are ready. Runs as long as the JVM. */
final class EventLoop {

    /** Something that a channel is registered for. Called on the loop's thread; must not block. */
    interface Handler {
        /**
         * The channel is ready.
         *
         * @param scratch memory that all handlers of the loop share, contents undefined
         */
        void ready(SelectionKey key, ByteBuffer scratch);

        /** Something threw; the handler is to end itself. */
        void failed(Throwable cause);
    }

    private static final Logger LOG = System.getLogger(EventLoop.class.getName());
    private static final int SCRATCH = 256 * 1024;
    private static final int RELEASE_LIMIT_SECONDS = 5;

    private final Selector selector;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH);

    private final Thread thread;

    private EventLoop(Selector selector, String name) {
        this.selector = selector;
        this.thread = new Thread(this::run, name);
    }

    static EventLoop start(String name) throws IOException {
        EventLoop loop = new EventLoop(Selector.open(), name);
        loop.thread.setDaemon(true);
        loop.thread.start();
        return loop;
    }

    /** Runs a task on the loop's thread, soon. */
    void execute(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    /** Registers a non-blocking channel; on the loop's thread. */
    SelectionKey register(SelectableChannel channel, int operations, Handler handler) throws IOException {
        return channel.register(selector, operations, handler);
    }

    /** Waits, not for long, until channels closed so far are deregistered: only then the system closes them. Not on the loop's thread. */
    void awaitRelease() {
        if (Thread.currentThread() == thread) {
            return;
        }
        CountDownLatch released = new CountDownLatch(1);
        execute(released::countDown);
        try {
            if (!released.await(RELEASE_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                LOG.log(Level.WARNING, "{0} is busy; a closed channel is released later", thread.getName());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (true) {
            try {
                selector.select(this::tell);
            } catch (IOException broken) {
                LOG.log(Level.ERROR, "select failed", broken);
            }
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                perform(task);
            }
        }
    }

    private void tell(SelectionKey key) {
        Handler handler = (Handler) key.attachment();
        try {
            handler.ready(key, scratch);
        } catch (CancelledKeyException closed) {
            LOG.log(Level.DEBUG, "a channel was closed while it was ready");
        } catch (Throwable failure) {
            // One connection's trouble, even lack of memory, must not end the others.
            handler.failed(failure);
        }
    }

    private static void perform(Runnable task) {
        try {
            task.run();
        } catch (Throwable failure) {
            LOG.log(Level.ERROR, "a task of an event loop failed", failure);
        }
    }
}
