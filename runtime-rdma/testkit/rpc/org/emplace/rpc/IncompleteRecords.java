// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** A peer that sends long records over many connections, but completes none. It sends the end byte by byte, and never the last one. */
public final class IncompleteRecords implements AutoCloseable {
    private static final int LAST = 0x8000_0000;
    private static final int PIECE = 64 * 1024;
    private static final int QUIET_ROUNDS = 20;
    private static final int ROUND_MILLIS = 10;

    private final List<SocketChannel> connections = new ArrayList<>();
    private final int[] left;
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(PIECE);
    private final Thread thread = new Thread(this::sendTheEnds, "incomplete records");
    private volatile boolean closed;

    /**
     * Connects, and sends as much as the server takes.
     *
     * @param address of the peer
     * @param count of the connections
     * @param length of each record in bytes
     */
    public IncompleteRecords(String address, InetSocketAddress server, int count, int length)
            throws IOException, InterruptedException {
        left = new int[count];
        for (int i = 0; i < count; i++) {
            SocketChannel connection = SocketChannel.open();
            connections.add(connection);
            connection.setOption(StandardSocketOptions.SO_SNDBUF, PIECE);
            connection.bind(new InetSocketAddress(address, 0));
            connection.connect(server);
            connection.write(ByteBuffer.allocate(Integer.BYTES).putInt(0, LAST | length));
            connection.configureBlocking(false);
            left[i] = length;
        }
        for (int quiet = 0; quiet < QUIET_ROUNDS; quiet++) {
            while (sent(PIECE, PIECE)) {
                quiet = 0;
            }
            Thread.sleep(ROUND_MILLIS);
        }
        thread.start();
    }

    private void sendTheEnds() {
        try {
            while (!closed) {
                sent(1, 1);
                Thread.sleep(ROUND_MILLIS);
            }
        } catch (IOException | InterruptedException ended) {
            // The server has ended the connections, or the test is over.
        }
    }

    /**
     * Sends some bytes of each record.
     *
     * @return whether the server has taken any
     */
    private boolean sent(int most, int end) throws IOException {
        int sent = 0;
        for (int i = 0; i < left.length; i++) {
            bytes.clear().limit(Math.max(0, Math.min(most, left[i] - end)));
            int written = connections.get(i).write(bytes);
            left[i] -= written;
            sent += written;
        }
        return sent > 0;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (SocketChannel connection : connections) {
            connection.close();
        }
    }
}
