// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** Reads and discards what its clients send, on one thread. It accepts each MPA request, and answers nothing else. */
final class DiscardServer implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final int AT_A_TIME = 1 << 18;

    private final Selector selector = Selector.open();
    private final ServerSocketChannel listening = ServerSocketChannel.open();
    private final ByteBuffer received = ByteBuffer.allocateDirect(AT_A_TIME);
    private final Thread thread = new Thread(this::serve, "discard");

    DiscardServer(InetSocketAddress local) throws IOException {
        listening.bind(local, BACKLOG).configureBlocking(false);
        listening.register(selector, SelectionKey.OP_ACCEPT);
        thread.start();
    }

    InetSocketAddress address() throws IOException {
        return (InetSocketAddress) listening.getLocalAddress();
    }

    private void serve() {
        try {
            while (listening.isOpen()) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isValid() && key.isAcceptable()) {
                        accept();
                    } else if (key.isValid() && !isRead((SocketChannel) key.channel(), key.attach("known") == null)) {
                        key.channel().close();
                    }
                }
                selector.selectedKeys().clear();
            }
        } catch (IOException e) {
            System.err.println("discard: " + e);
        }
    }

    private void accept() throws IOException {
        SocketChannel accepted = listening.accept();
        if (accepted != null) {
            accepted.configureBlocking(false);
            accepted.register(selector, SelectionKey.OP_READ);
        }
    }

    /** Whether the connection has not ended. */
    private boolean isRead(SocketChannel from, boolean first) {
        try {
            received.clear();
            int count = from.read(received);
            if (first && count > 0 && received.get(0) == 'M') {
                from.write(mpaReply());
            }
            return count >= 0;
        } catch (IOException reset) {
            return false;
        }
    }

    /** Flag S, revision 2, four bytes: IRD 8, ORD 8. */
    private static ByteBuffer mpaReply() {
        return ByteBuffer.allocate(24)
                .put("MPA ID Rep Frame".getBytes(StandardCharsets.US_ASCII))
                .putInt(0x10020004)
                .putInt(0x00080008)
                .flip();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        selector.wakeup();
    }
}
