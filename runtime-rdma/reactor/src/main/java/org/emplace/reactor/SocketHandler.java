// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import jdk.net.ExtendedSocketOptions;
import org.emplace.reactor.EventLoop.LoopLocal;
import org.jspecify.annotations.Nullable;

/** Sockets and other channels, served by a selector on an event loop of their own. Also what is done with sockets everywhere. */
public final class SocketHandler implements IoHandler {
    private static final System.Logger LOG = System.getLogger(SocketHandler.class.getName());
    /**
     * Long enough to keep the thread while connections are opened in a row. Not longer, because the exit of a JVM waits up to 300 ms for a thread
     * in the selector.
     */
    private static final int IDLE_MILLIS = 20;

    private static final LoopLocal<ByteBuffer> SCRATCH = new LoopLocal<>(() -> ByteBuffer.allocateDirect(256 * 1024));
    private static final int RELEASE_LIMIT_SECONDS = 5;
    private static final int PROBES = 3;

    /** The handler of a channel. Called on the loop. Must not block. */
    public interface Attachment {
        /** The channel is ready for an operation in the key's interest set. */
        void ready(SelectionKey key);

        /** Called if {@link #ready} has thrown: ends the connection. The loop continues to serve the others. */
        void failed(Throwable cause);

        /** Called when the loop shuts down: finishes, and closes the channel soon. */
        void shutDown();

        /** Called when the loop has ended and closed the channel: ends everything at once. */
        default void cutOff() {
            shutDown();
        }
    }

    private final Selector selector;
    private final int idleMillis;
    private final EventLoop loop;
    private final Consumer<SelectionKey> serve = this::serve;
    private final Runnable deregister = this::deregister;
    /** Whether a task will deregister the channels that have been closed. */
    private volatile boolean releasing;

    /**
     * Creates a handler and its loop.
     *
     * @param name of the loop and its thread
     * @throws IOException if the system cannot open a selector
     */
    public SocketHandler(String name) throws IOException {
        this(name, Selector.open(), IDLE_MILLIS);
    }

    SocketHandler(String name, Selector selector, int idleMillis) {
        this.selector = selector;
        this.idleMillis = idleMillis;
        loop = new EventLoop(name, this);
    }

    /** The loop that serves these channels. */
    public EventLoop loop() {
        return loop;
    }

    /** On the loop: registers a non-blocking channel. */
    public SelectionKey register(SelectableChannel channel, int operations, Attachment attachment) throws IOException {
        loop.recheck();
        return channel.register(selector, operations, attachment);
    }

    /** On the loop: sets a channel's interest set. No effect if the channel is closed. */
    public void watch(SelectionKey key, int operations) {
        try {
            if (key.interestOps() != operations) {
                key.interestOps(operations);
                loop.recheck();
            }
        } catch (CancelledKeyException closed) {
            LOG.log(Level.TRACE, "{0}: a channel was closed by another thread", loop);
        }
    }

    /** On the loop: memory that all attachments share, valid during one call. Its contents are undefined. */
    public ByteBuffer scratch() {
        return SCRATCH.of(loop).clear();
    }

    /** Closes a channel, on any thread. The loop then deregisters it; only then does the system close the socket. */
    public void close(SelectableChannel channel) {
        closeQuietly(channel);
        if (!releasing) {
            releasing = true;
            loop.execute(deregister);
        }
    }

    /** Waits, for a short time at most, until the system has closed the sockets of all channels closed before. Returns at once on the loop. */
    public void awaitRelease() {
        if (loop.isCurrent()) {
            return;
        }
        CountDownLatch released = new CountDownLatch(1);
        loop.execute(() -> {
            deregister();
            released.countDown();
        });
        try {
            if (!released.await(RELEASE_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                LOG.log(Level.WARNING, "{0} is busy; a closed channel is released later", loop);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Deregisters closed channels. */
    private void deregister() {
        releasing = false;
        try {
            if (selector.isOpen()) {
                selector.selectNow(ready -> {});
            }
        } catch (IOException | ClosedSelectorException e) {
            LOG.log(Level.DEBUG, loop + ": a closed channel is released later", e);
        }
    }

    @Override
    public int await(int millis) throws IOException {
        return millis == 0 ? selector.selectNow(serve) : selector.select(serve, millis);
    }

    /** The selector reports channels one by one, and the first of them ends the wait. */
    private void serve(SelectionKey key) {
        loop.enter();
        loop.fairShare().countServed();
        if (!key.isValid()) {
            return;
        }
        Attachment attachment = attachment(key);
        try {
            attachment.ready(key);
        } catch (CancelledKeyException closed) {
            LOG.log(Level.DEBUG, "{0}: a channel was closed while it was ready", loop);
        } catch (Throwable failure) {
            loop.guarded(() -> attachment.failed(failure));
        }
    }

    private static Attachment attachment(SelectionKey key) {
        return (Attachment) key.attachment();
    }

    @Override
    public void wakeup() {
        selector.wakeup();
    }

    /** Closed channels count until they are deregistered. */
    @Override
    public boolean isIdle() {
        return selector.keys().isEmpty();
    }

    @Override
    public int idleMillis() {
        return idleMillis;
    }

    /** An interrupt ends a select. */
    @Override
    public int longestLeadMillis() {
        return Integer.MAX_VALUE;
    }

    @Override
    public void shutDown() {
        for (SelectionKey key : new ArrayList<>(selector.keys())) {
            attachment(key).shutDown();
        }
        deregister();
    }

    @Override
    public void cutOff() {
        for (SelectionKey key : selector.keys()) {
            closeQuietly(key.channel());
            loop.guarded(() -> attachment(key).cutOff());
        }
    }

    @Override
    public void close() {
        closeQuietly(selector);
    }

    /** Closes a resource. Logs a failure, because no caller can handle it. */
    public static void closeQuietly(@Nullable AutoCloseable resource) {
        try {
            if (resource != null) {
                resource.close();
            }
        } catch (Exception e) {
            LOG.log(Level.DEBUG, "closing " + resource, e);
        }
    }

    /** Makes the end of a connection a reset: otherwise the system would go on sending what it has taken. */
    public static void discardUnsent(SocketChannel socket) {
        try {
            socket.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException alreadyClosed) {
            LOG.log(Level.DEBUG, "closed before its reset", alreadyClosed);
        }
    }

    /** The reason why a channel could not be bound or connected. The JDK's exceptions for unusable addresses have no message. */
    public static String describe(Throwable failure) {
        if (failure instanceof UnsupportedAddressTypeException) {
            return "this machine has no IPv6";
        }
        return failure instanceof UnresolvedAddressException ? "no such host" : String.valueOf(failure.getMessage());
    }

    /**
     * Makes a connection end with an error when its peer has been silent for about this time and answers no probe. TCP sends no probes while
     * sent bytes are unacknowledged: it retransmits them for as long as the system is configured to. If the system cannot set the times for one
     * socket, its own times apply.
     *
     * @param bound at least two seconds
     * @throws IOException if the socket is closed
     */
    public static void keepAlive(SocketChannel socket, Duration bound) throws IOException {
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        if (socket.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPCOUNT)) {
            int half = (int) Math.min(Short.MAX_VALUE, Math.max(1, bound.toSeconds() / 2));
            socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, half);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, Math.max(1, half / PROBES));
            socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, Math.min(half, PROBES));
        }
    }
}
