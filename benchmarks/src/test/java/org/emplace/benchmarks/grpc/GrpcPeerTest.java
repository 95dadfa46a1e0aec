// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.load.Load.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(60)
class GrpcPeerTest {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final CompletableFuture<Void> released = new CompletableFuture<>();

    @Test
    void everyCallOfALoadIsAnswered() throws Exception {
        Histogram durations = new Histogram(3);
        try (GrpcServer server = new GrpcServer(LOOPBACK, released);
                GrpcClient client = new GrpcClient(server.address(), 2)) {
            client.run(new Load(Operation.NULL, 0, 1, 3), durations);
            client.run(new Load(Operation.READ, 1 << 20, 8, 20), durations);
            client.run(new Load(Operation.WRITE, 1 << 20, 8, 20), durations);
            client.run(new Load(Operation.WRITE, 4096, 32, 10), durations);
        }

        assertThat(durations.getTotalCount()).isEqualTo(3 + 20 + 20 + 10);
    }

    @Test
    void aMessageComesAsItWasSent() throws Exception {
        byte[] source = {9, 1, 2, 3, 4, 9};
        RotatingMemory memory = new RotatingMemory();

        Block first = new BlockMarshaller(memory).parse(BlockMarshaller.FRESH.stream(new Block(source, 1, 4)));
        Block second = new BlockMarshaller(memory).parse(BlockMarshaller.FRESH.stream(new Block(source, 2, 4)));

        assertThat(memory.bytes()).startsWith(1, 2, 3, 4, 2, 3, 4, 9);
        assertThat(first.offset()).isZero();
        assertThat(second.offset()).isEqualTo(4);
    }

    @Test
    void heldCallsAreAnsweredWhenTheyAreReleased() throws Exception {
        try (GrpcServer server = new GrpcServer(LOOPBACK, released);
                GrpcConnection connection = GrpcConnection.to(server.address())) {
            CompletableFuture<?> held = connection.callHeld().toCompletableFuture();
            connection.callNull();
            assertThat(held).isNotDone();

            released.complete(null);

            assertThat(held.get()).isNotNull();
        }
    }

    /** gRPC must not be measured on a slower transport than its users have. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void nettyHasItsEpollTransport() {
        assertThat(Epoll.isAvailable()).isTrue();
    }
}
