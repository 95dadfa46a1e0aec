// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.raw;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.emplace.benchmarks.load.Load;

/** The client's end of a connection. */
public final class RawClient implements AutoCloseable {
    private final SocketChannel channel;
    private final boolean crc;
    private final BlockMemory requestMemory = new BlockMemory();
    private final BlockMemory responseMemory = new BlockMemory();

    private RawClient(SocketChannel channel, boolean crc) {
        this.channel = channel;
        this.crc = crc;
    }

    /**
     * Connects to a {@link RawServer}.
     *
     * @param crc whether both ends compute CRC32C
     */
    public static RawClient connect(InetSocketAddress server, boolean crc) throws IOException {
        SocketChannel channel = SocketChannel.open(server).setOption(StandardSocketOptions.TCP_NODELAY, true);
        return new RawClient(channel, crc);
    }

    /**
     * Moves the bytes of a load.
     *
     * @param durations records nanoseconds where requests and responses take turns
     */
    public void run(Load load, Histogram durations) throws IOException {
        Exchange exchange = Exchange.of(load, crc);
        ByteBuffer announced = ByteBuffer.allocateDirect(Exchange.ENCODED_BYTES);
        exchange.encode(announced);
        new Blocks(channel, List.of(announced), false).send();
        Blocks requests = new Blocks(channel, requestMemory.buffers(exchange.blocks(), exchange.request()), crc);
        Blocks responses = new Blocks(channel, responseMemory.buffers(exchange.blocks(), exchange.response()), crc);
        for (int i = 0; i < exchange.count(); i++) {
            long start = System.nanoTime();
            if (exchange.request() > 0) {
                requests.send();
            }
            if (exchange.response() > 0) {
                responses.receive();
            }
            if (exchange.isInTurns()) {
                durations.recordValue(System.nanoTime() - start);
            }
        }
        if (!exchange.isInTurns()) {
            new Blocks(channel, List.of(ByteBuffer.allocateDirect(1)), false).receive();
        }
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
