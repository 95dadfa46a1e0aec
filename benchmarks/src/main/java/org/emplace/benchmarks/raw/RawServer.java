// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.raw;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;

/** The server, with a thread for each connection. */
public final class RawServer implements AutoCloseable {
    private static final int BACKLOG = 1024;

    private final ServerSocketChannel listening;

    /** Listens; port 0 selects a free port. */
    public RawServer(InetSocketAddress local) throws IOException {
        listening = ServerSocketChannel.open().bind(local, BACKLOG);
        daemon("raw-accept", this::accept);
    }

    /** The listening address, with the actual port. */
    public InetSocketAddress address() throws IOException {
        return (InetSocketAddress) listening.getLocalAddress();
    }

    private void accept() throws IOException {
        while (listening.isOpen()) {
            SocketChannel channel = listening.accept();
            daemon("raw-connection", () -> serve(channel));
        }
    }

    private static void serve(SocketChannel channel) throws IOException {
        BlockMemory requestMemory = new BlockMemory();
        BlockMemory responseMemory = new BlockMemory();
        ByteBuffer announced = ByteBuffer.allocateDirect(Exchange.ENCODED_BYTES);
        try (channel) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            while (true) {
                new Blocks(channel, List.of(announced), false).receive();
                Exchange exchange = Exchange.decode(announced.flip());
                Blocks requests = new Blocks(channel, requestMemory.buffers(exchange.request()), exchange.crc());
                Blocks responses = new Blocks(channel, responseMemory.buffers(exchange.response()), exchange.crc());
                for (int i = 0; i < exchange.count(); i++) {
                    requests.receive();
                    responses.send();
                }
            }
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private void daemon(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (EOFException e) {
                        // The client has disconnected.
                    } catch (IOException e) {
                        if (listening.isOpen()) {
                            System.err.println(name + ": " + e);
                        }
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
