// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Sends bytes over a socket that a loop serves, to a peer that sends each back when permitted. Used by one thread. */
final class EchoCaller implements SocketHandler.Attachment, AutoCloseable {
    /** How many bytes the peer may send back. */
    final Semaphore echoes = new Semaphore(Integer.MAX_VALUE / 2);
    /** The threads on which the replies were read. */
    final BlockingQueue<Thread> replies = new LinkedBlockingQueue<>();

    private final SocketHandler sockets;
    private final SocketChannel channel;
    private final Thread peer;

    EchoCaller(SocketHandler sockets) throws Exception {
        this.sockets = sockets;
        try (ServerSocketChannel listening =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            channel = SocketChannel.open(listening.getLocalAddress());
            SocketChannel other = listening.accept();
            peer = new Thread(() -> echo(other));
            peer.start();
        }
        channel.configureBlocking(false);
        CompletableFuture<SelectionKey> registered = new CompletableFuture<>();
        sockets.loop().execute(() -> {
            try {
                registered.complete(sockets.register(channel, SelectionKey.OP_READ, this));
            } catch (IOException e) {
                registered.completeExceptionally(e);
            }
        });
        registered.get(20, TimeUnit.SECONDS);
    }

    private void echo(SocketChannel other) {
        ByteBuffer one = ByteBuffer.allocateDirect(1);
        try (other) {
            while (other.read(one.clear()) > 0) {
                echoes.acquire();
                other.write(one.flip());
            }
        } catch (IOException | InterruptedException closed) {
            // The caller has closed its socket.
        }
    }

    /** Sends a byte and waits for the reply by helping the loop. @return the thread that read the reply */
    Thread call() throws Exception {
        send();
        sockets.loop().pollUntil(this::isAnswered);
        return reply();
    }

    void send() throws IOException {
        channel.write(ByteBuffer.allocate(1));
    }

    boolean isAnswered() {
        return !replies.isEmpty();
    }

    /** Waits without helping. @return the thread that read the reply */
    Thread reply() throws InterruptedException {
        Thread reader = replies.poll(20, TimeUnit.SECONDS);
        if (reader == null) {
            throw new AssertionError("no reply came");
        }
        return reader;
    }

    @Override
    public void ready(SelectionKey key) {
        try {
            for (int left = channel.read(sockets.scratch()); left > 0; left--) {
                replies.add(Thread.currentThread());
            }
        } catch (IOException e) {
            failed(e);
        }
    }

    @Override
    public void failed(Throwable cause) {
        shutDown();
    }

    @Override
    public void shutDown() {
        sockets.close(channel);
    }

    @Override
    public void close() {
        sockets.close(channel);
        peer.interrupt();
    }
}
