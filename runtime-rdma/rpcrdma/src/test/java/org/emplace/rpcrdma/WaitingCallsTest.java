// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.emplace.rpc.Failures.assertFails;
import static org.emplace.rpcrdma.ClientOfRawPeer.NOTHING;
import static org.emplace.rpcrdma.ClientOfRawPeer.SMALL_REPLY;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.rpc.Destination;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.client.CallQueue;
import org.emplace.rpcrdma.InstalledDevices.Device;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that wait for a credit, with a server that does not reply. */
@Timeout(60)
final class WaitingCallsTest {
    private static final int LIMIT = 1 << 20;
    /** The inline threshold of the peer, and so the size of the buffers of small messages. */
    private static final int THRESHOLD = 4096;

    private OneDevice device;
    private ClientOfRawPeer peers;

    @BeforeEach
    void connect() throws Exception {
        device = new OneDevice(LIMIT);
        peers = new ClientOfRawPeer(device, 4);
    }

    @AfterEach
    void close() {
        peers.close();
        device.close();
    }

    @Test
    void waitingCallsHoldNoRegisteredMemory() throws Exception {
        echo();
        long held = device.provider.statistics().bytesHeld();
        for (int i = 0; i < 20_000; i++) {
            echo();
        }

        assertThat(device.provider.statistics().bytesHeld()).isEqualTo(held);
    }

    @Test
    void allMemoryIsReleasedWhenWaitingCallsAreCancelled() throws Exception {
        RpcCall<XdrOpaque> last = echo();
        for (int i = 0; i < 1000; i++) {
            last = echo();
        }
        last.cancel();
        assertFails(last::await, Kind.CANCELLED);
        peers.server.queuePair().close();

        assertFails(echo()::await, Kind.DISCONNECTED);
        device.awaitAllIsFree();
    }

    @Test
    void theNumberOfWaitingCallsIsBounded() throws Exception {
        List<RpcCall<XdrOpaque>> accepted = new ArrayList<>();
        for (int i = 0; i < 1 + CallQueue.LIMIT; i++) {
            accepted.add(echo());
        }

        assertFails(echo()::await, Kind.QUEUE_FULL).hasMessageContaining("wait for some to complete");
        accepted.get(7).cancel();
        assertFails(accepted.get(7)::await, Kind.CANCELLED);
        RpcCall<XdrOpaque> inItsPlace = echo();
        assertFails(echo()::await, Kind.QUEUE_FULL);
        inItsPlace.cancel();
        assertFails(inItsPlace::await, Kind.CANCELLED);
    }

    @Test
    void aCallWithoutMemoryFailsWithTheReason() {
        assertThatThrownBy(() -> {
                    while (true) {
                        device.pool.acquire(1024);
                    }
                })
                .isInstanceOf(RdmaException.class);
        assertThatThrownBy(() -> {
                    while (true) {
                        device.pool.acquire(4096);
                    }
                })
                .isInstanceOf(RdmaException.class);

        assertFails(echo()::await, Kind.NO_RESOURCES).hasMessageContaining("pooled registered memory");
    }

    @Test
    void theDestinationOfAWaitingCallIsNotRegisteredOnALoop() throws Exception {
        assertNotOnALoop((client, pool) -> client.call(
                Blobs.GET,
                List.of(50_000L),
                Blobs.into(Destination.into(ByteBuffer.allocateDirect(50_000))),
                SMALL_REPLY));
    }

    @Test
    void memoryForAWaitingCallIsNotRegisteredOnALoop() throws Exception {
        assertNotOnALoop((client, pool) -> {
            client.call(Blobs.ECHO, NOTHING, Destinations.none(), SMALL_REPLY);
            while (pool.hasFree(THRESHOLD)) {
                pool.acquire(THRESHOLD);
            }
        });
    }

    private interface Waiting {
        void begin(RpcConnection client, RegisteredPool pool) throws Exception;
    }

    /** Makes a call that waits until another one is answered, and checks which thread then registers memory for it. */
    private static void assertNotOnALoop(Waiting waiting) throws Exception {
        AtomicReference<Runnable> registering = new AtomicReference<>(() -> {});
        RdmaProvider provider = OneDevice.watched(IwarpProvider.open(IwarpOptions.DEFAULTS), registering);
        Device device = OneDevice.device(provider);
        try (ClientOfRawPeer peers = new ClientOfRawPeer(OneDevice.transport(device), 2)) {
            peers.echo();
            int[] first = peers.server.receive();
            waiting.begin(peers.client, device.memory().pool());
            CompletableFuture<String> registered = new CompletableFuture<>();
            registering.set(() -> registered.complete(Thread.currentThread().getName()));

            peers.answer(first[0], 2);

            assertThat(registered.get(20, TimeUnit.SECONDS)).doesNotStartWith("emplace-iwarp");
        } finally {
            provider.close();
        }
    }

    private RpcCall<XdrOpaque> echo() {
        return peers.client.call(
                Blobs.ECHO, NOTHING, Destinations.none(), SMALL_REPLY.withTimeout(Duration.ofSeconds(50)));
    }
}
