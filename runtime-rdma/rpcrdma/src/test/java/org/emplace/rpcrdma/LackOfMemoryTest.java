// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Failures.assertFails;

import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.emplace.Rpc;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.ServerCall;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpc.transport.RpcTransport.Listener;
import org.emplace.rpcrdma.Blobs.Items;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server does with calls for which it has no memory: they wait, or their connection ends. None gets an error. */
@Timeout(60)
final class LackOfMemoryTest {
    private static final int POOL = 16 << 20;
    private static final int LENGTH = 900 << 10;
    private static final int CALLS = 8;
    private static final ConnectionOptions SERVING =
            ConnectionOptions.DEFAULT.withCredits(CALLS).withMaximumMessage(1 << 20);
    private static final CallOptions SMALL_REPLY = CallOptions.DEFAULT.withUnboundedReply(100);

    private final ServiceDispatcher dispatcher = new ServiceDispatcher(8);
    private final CompletableFuture<Items> holding = new CompletableFuture<>();
    private final List<RpcConnection> greedy = new ArrayList<>();
    private OneDevice device;
    private Listener listener;

    @BeforeEach
    void holdNearlyAllMemory() throws Exception {
        device = new OneDevice(POOL);
        listener = device.listen(dispatcher, SERVING);
        int holders = 4;
        CountDownLatch held = new CountDownLatch(holders);
        dispatcher.add(Blobs.service(
                Blobs.handler(Blobs.GET, (sizes, call) -> {
                    if (!sizes.isEmpty()) {
                        return CompletableFuture.completedFuture(Items.of(
                                Payload.of(ByteBuffer.allocate(sizes.get(0).intValue()))));
                    }
                    takeAllMemory(call);
                    held.countDown();
                    return holding;
                }),
                Blobs.handler(
                        Blobs.PUT,
                        (items, call) -> CompletableFuture.completedFuture(
                                items.items().get(0).buffer().remaining() + 0L)),
                Blobs.handler(Blobs.ECHO, (bytes, call) -> CompletableFuture.completedFuture(XdrOpaque.EMPTY))));
        for (int i = 0; i < holders; i++) {
            RpcConnection holder = connect();
            greedy.add(holder);
            holder.call(Blobs.GET, List.of(), Destinations.none(), CallOptions.DEFAULT);
        }
        assertThat(held.await(20, TimeUnit.SECONDS)).isTrue();
    }

    /** Takes all memory that the call's connection may have. */
    private static void takeAllMemory(ServerCall call) {
        try {
            while (true) {
                call.buffer(64 << 10);
            }
        } catch (UncheckedIOException exhausted) {
            assertThat(exhausted).hasMessageContaining("cannot allocate");
        }
    }

    @AfterEach
    void close() {
        holding.complete(Items.of());
        greedy.forEach(RpcConnection::close);
        listener.close();
        dispatcher.close();
        device.close();
    }

    private RpcConnection connect() throws RpcException {
        return Rpc.connect(OneDevice.address(listener), ConnectionOptions.DEFAULT);
    }

    @Test
    void argumentsInReadChunksWait() throws Exception {
        try (RpcConnection client = connect()) {
            List<RpcCall<Long>> calls = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                Items argument = Items.of(Payload.of(Blobs.pattern(LENGTH)));
                calls.add(client.call(Blobs.PUT, argument, Destinations.none(), CallOptions.DEFAULT));
            }
            for (RpcCall<Long> call : calls) {
                assertThat(call.await()).isEqualTo(LENGTH);
            }
        }
    }

    @Test
    void longCallsWait() throws Exception {
        try (RpcConnection client = connect()) {
            List<RpcCall<XdrOpaque>> calls = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                calls.add(client.call(Blobs.ECHO, XdrOpaque.of(new byte[LENGTH]), Destinations.none(), SMALL_REPLY));
            }
            for (RpcCall<XdrOpaque> call : calls) {
                assertThat(call.await().length()).isZero();
            }
        }
    }

    @Test
    void callsWhoseRepliesFindNoneLoseTheirConnection() throws Exception {
        try (RpcConnection client = connect()) {
            RpcCall<Items> call =
                    client.call(Blobs.GET, List.of((long) LENGTH), Destinations.none(), CallOptions.DEFAULT);
            assertFails(call::await, Kind.DISCONNECTED);
        }
    }

    @Test
    void aClientThatSendsThemAgainGetsThemServed() throws Exception {
        try (RpcConnection client = Rpc.client(OneDevice.address(listener))) {
            RpcCall<Items> call =
                    client.call(Blobs.GET, List.of((long) LENGTH), Destinations.none(), CallOptions.DEFAULT);
            holding.complete(Items.of());
            assertThat(call.await().items().get(0).length()).isEqualTo(LENGTH);
        }
    }
}
