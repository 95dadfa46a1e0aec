// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.emplace.reactor.FairShare.Turns;
import org.jspecify.annotations.Nullable;

/**
 * Ends a TCP connection after this side's last byte without losing it: sends FIN, and discards incoming bytes until the peer's FIN, up to a limit
 * of time and bytes. Closing at once would reset the connection while bytes arrive, and the peer could lose the bytes sent last. A peer that exceeds
 * the limit of bytes is not reading.
 */
public final class Linger implements SocketHandler.Attachment {
    /** More than can be in flight before the peer notices the end: the largest window that Linux gives a connection by default is 6 MiB. */
    private static final long BYTE_LIMIT = 16 << 20;

    /** How much to read at a time. */
    private static final int READ = 16 * 1024;

    private final SocketHandler sockets;
    private final Turns turns;
    private final Runnable close;
    private long dropped;
    private boolean closed;
    private Timers.@Nullable Timer timer;

    private Linger(SocketHandler sockets, Turns turns, Runnable close) {
        this.sockets = sockets;
        this.turns = turns;
        this.close = close;
    }

    /**
     * Begins to end a connection, in place of what the key's channel was attached to. On the loop.
     *
     * @param key of the connection's {@link SocketChannel}
     * @param limit how long to wait for the peer's FIN
     * @param close closes the socket; called once
     */
    public static void start(SocketHandler sockets, SelectionKey key, Duration limit, Turns turns, Runnable close) {
        Linger linger = new Linger(sockets, turns, close);
        try {
            channel(key).shutdownOutput();
            linger.timer = sockets.loop().schedule(limit, linger::cutOff);
            key.attach(linger);
            sockets.watch(key, SelectionKey.OP_READ);
        } catch (IOException | CancelledKeyException gone) {
            linger.cutOff();
        }
    }

    @Override
    public void ready(SelectionKey key) {
        if (!turns.isLeft()) {
            // The selector reports it again in the next round.
            return;
        }
        try {
            int count = channel(key).read(sockets.scratch().limit(READ));
            dropped += count;
            turns.spend(FairShare.TURN + count);
            if (count < 0 || dropped > BYTE_LIMIT) {
                cutOff();
            }
        } catch (IOException gone) {
            cutOff();
        }
    }

    private static SocketChannel channel(SelectionKey key) {
        return (SocketChannel) key.channel();
    }

    @Override
    public void failed(Throwable cause) {
        cutOff();
    }

    /** The connection is ending already, and the limit is short. */
    @Override
    public void shutDown() {}

    @Override
    public void cutOff() {
        if (timer != null) {
            timer.cancel();
        }
        if (!closed) {
            closed = true;
            close.run();
        }
    }
}
