// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.raw;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.emplace.benchmarks.load.Connection;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.load.Load.Operation;

/** A client's socket. */
public final class RawConnection implements Connection {
    private final SocketChannel channel;
    private final boolean crc;
    private final BlockMemory requestMemory = new BlockMemory();
    private final BlockMemory responseMemory = new BlockMemory();
    private Blocks requests;
    private Blocks responses;

    private RawConnection(SocketChannel channel, boolean crc) {
        this.channel = channel;
        this.crc = crc;
        requests = new Blocks(channel, List.of(), crc);
        responses = new Blocks(channel, List.of(), crc);
    }

    /**
     * Connects to a {@link RawServer}.
     *
     * @param crc whether both ends compute CRC32C
     */
    public static RawConnection to(InetSocketAddress server, boolean crc) throws IOException {
        SocketChannel channel = SocketChannel.open(server).setOption(StandardSocketOptions.TCP_NODELAY, true);
        return new RawConnection(channel, crc);
    }

    /** Tells the server how many calls of a load will follow. */
    void announce(Load load, int calls) throws IOException {
        Exchange exchange = Exchange.of(load, calls, crc);
        ByteBuffer announced = ByteBuffer.allocateDirect(Exchange.ENCODED_BYTES);
        exchange.encode(announced);
        new Blocks(channel, List.of(announced), false).send();
        requests = new Blocks(channel, requestMemory.buffers(exchange.request()), crc);
        responses = new Blocks(channel, responseMemory.buffers(exchange.response()), crc);
    }

    void sendRequest() throws IOException {
        requests.send();
    }

    void receiveResponse() throws IOException {
        responses.receive();
    }

    @Override
    public void callNull() throws IOException {
        announce(new Load(Operation.NULL, 0, 1, 1), 1);
        sendRequest();
        receiveResponse();
    }

    @Override
    public CompletionStage<?> callHeld() {
        throw new UnsupportedOperationException("plain sockets have no calls that could be held");
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            System.err.println("closing " + channel + ": " + e);
        }
    }
}
