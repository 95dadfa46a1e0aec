// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.emplace.benchmarks.client.Attack.Batch;
import org.jspecify.annotations.Nullable;

/**
 * The program of a process of hostile clients, {@code AttackProgram}. They come from 127.0.0.2, to servers at 127.0.0.1. Prints {@code ready}, then
 * answers each line of standard input until the input ends:
 *
 * <ul>
 *   <li>{@code start ATTACK SCHEME PORT}: begins an {@link Attack} over {@code tcp} or {@code rdma}, or over {@code tcp-discard} or
 *       {@code rdma-discard}, whose servers do not answer; prints {@code started} when all connections have begun
 *   <li>{@code stop}: ends it; prints the bytes that were sent and the number of connections that were set up
 * </ul>
 */
public final class AttackProgram {
    private static final InetSocketAddress OWN = new InetSocketAddress("127.0.0.2", 0);
    /** Whatever happens, an attack ends then. */
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private static final Duration LONGEST_START = Duration.ofMinutes(1);
    private static final int MILLIS_BETWEEN = 10;
    private static final int MOST_AT_A_TIME = 1 << 16;

    private final Attack attack;
    private final boolean rdma;
    private final boolean answered;
    private final InetSocketAddress server;
    private final Selector selector = Selector.open();
    private final CountDownLatch begun;
    private final Thread thread;
    private volatile boolean over;
    /** Read when the thread has ended. */
    private long sent;

    private long opened;

    private AttackProgram(Attack attack, String scheme, int port) throws IOException {
        this.attack = attack;
        rdma = scheme.startsWith("rdma");
        answered = !scheme.endsWith("-discard");
        server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        begun = new CountDownLatch(attack.connections());
        thread = new Thread(this::run, attack.name());
    }

    /** Answers the lines. */
    public static void main(String[] args) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        AttackProgram running = null;
        System.out.println("ready");
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            List<String> words = List.of(line.split(" ", -1));
            if (words.get(0).equals("start")) {
                running = new AttackProgram(Attack.valueOf(words.get(1)), words.get(2), Integer.parseInt(words.get(3)));
                running.thread.start();
                System.out.println(
                        running.begun.await(LONGEST_START.toSeconds(), TimeUnit.SECONDS)
                                ? "started"
                                : "not all connections have begun");
            } else if (running != null) {
                running.over = true;
                running.thread.join();
                System.out.println(running.sent + " " + running.opened);
            }
        }
        System.exit(0);
    }

    private void run() {
        long end = System.nanoTime() + LONGEST.toNanos();
        try (selector) {
            for (int i = 0; i < attack.connections(); i++) {
                new Hostile().open();
            }
            while (!over && System.nanoTime() < end) {
                selector.select(MILLIS_BETWEEN);
                for (SelectionKey key : selector.selectedKeys()) {
                    ((Hostile) key.attachment()).goOn(key);
                }
                selector.selectedKeys().clear();
            }
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        } catch (IOException e) {
            System.err.println(attack + ": " + e);
        }
    }

    /** One connection at a time, which is opened again whenever the server ends it. */
    private final class Hostile {
        private final ByteBuffer received = ByteBuffer.allocateDirect(2 * MOST_AT_A_TIME);
        private final Batch batch = attack.batch(rdma);
        private final ByteBuffer toSend = batch.bytes();
        private @Nullable SocketChannel channel;
        private boolean established;
        private boolean counted;
        private int messages;
        private int replies;
        private int granted;

        void open() throws IOException {
            SocketChannel next = SocketChannel.open();
            channel = next;
            established = false;
            messages = 0;
            replies = 0;
            granted = 1;
            received.clear();
            toSend.clear().limit(0);
            next.bind(OWN).configureBlocking(false);
            // Closed by a reset, so that no port stays in use.
            next.setOption(StandardSocketOptions.SO_LINGER, 0);
            if (!attack.readsReplies()) {
                next.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
            }
            next.connect(server);
            next.register(selector, SelectionKey.OP_CONNECT, this);
        }

        void goOn(SelectionKey key) throws IOException {
            SocketChannel current = (SocketChannel) key.channel();
            try {
                if (key.isConnectable() && current.finishConnect()) {
                    if (rdma) {
                        current.write(Attack.mpaRequest());
                        key.interestOps(SelectionKey.OP_READ);
                    } else {
                        establish(key);
                    }
                }
                if (key.isValid() && key.isReadable()) {
                    read(current, key);
                }
                if (key.isValid() && key.isWritable()) {
                    write(current, key);
                }
            } catch (IOException ended) {
                again();
            }
        }

        private void again() throws IOException {
            if (channel != null) {
                channel.close();
            }
            open();
        }

        private void establish(SelectionKey key) throws IOException {
            established = true;
            opened++;
            if (attack == Attack.CONNECTIONS) {
                hasBegun();
                again();
            } else {
                key.interestOps(SelectionKey.OP_WRITE | (attack.readsReplies() ? SelectionKey.OP_READ : 0));
            }
        }

        private void hasBegun() {
            if (!counted) {
                counted = true;
                begun.countDown();
            }
        }

        private void read(SocketChannel from, SelectionKey key) throws IOException {
            if (from.read(received) < 0) {
                again();
                return;
            }
            received.flip();
            if (!rdma) {
                received.position(received.limit());
            } else if (!established && received.remaining() >= 20 && received.remaining() >= mpaLength()) {
                received.position(mpaLength());
                establish(key);
                if (!key.isValid()) {
                    return;
                }
            }
            while (rdma && established && received.remaining() >= 2 && received.remaining() >= fpduLength()) {
                // A Send with an RPC-over-RDMA header: xid, version, credits.
                if ((received.get(received.position() + 3) & 0xf) >= 3) {
                    replies++;
                    granted = Math.min(64, received.getInt(received.position() + 28));
                }
                received.position(received.position() + fpduLength());
            }
            received.compact();
            if (established && messages < attack.messages(rdma)) {
                key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
            }
        }

        private int mpaLength() {
            return 20 + Short.toUnsignedInt(received.getShort(received.position() + 18));
        }

        private int fpduLength() {
            return (2 + Short.toUnsignedInt(received.getShort(received.position())) + 3) / 4 * 4 + 4;
        }

        private void write(SocketChannel to, SelectionKey key) throws IOException {
            if (!toSend.hasRemaining() && !next()) {
                key.interestOps(attack.readsReplies() ? SelectionKey.OP_READ : 0);
                return;
            }
            int limit = toSend.limit();
            toSend.limit(Math.min(limit, toSend.position() + MOST_AT_A_TIME));
            sent += to.write(toSend);
            toSend.limit(limit);
            hasBegun();
        }

        /** Whether more messages may be sent. If so, they are the ones to send. */
        private boolean next() {
            int allowed = Math.min(
                    attack.messages(rdma) - messages,
                    rdma && answered && attack.keepsToCredits() ? granted - (messages - replies) : batch.number());
            if (allowed <= 0) {
                return false;
            }
            int first = messages % batch.number();
            if (first == 0 && rdma) {
                batch.renumber(messages);
            }
            int count = Math.min(allowed, batch.number() - first);
            toSend.clear().position(first * batch.length()).limit((first + count) * batch.length());
            messages += count;
            return true;
        }
    }
}
