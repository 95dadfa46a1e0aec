// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Failures.assertFails;
import static org.emplace.rpcrdma.ClientOfRawPeer.NOTHING;
import static org.emplace.rpcrdma.ClientOfRawPeer.SMALL_REPLY;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destination;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpcrdma.Blobs.Items;
import org.emplace.rpcrdma.memory.PooledBuffer;
import org.emplace.rpcrdma.memory.RdmaMemory;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that time out while their memory is being registered, which this test delays. */
@Timeout(60)
final class GivenUpCallsTest {
    private static final int LIMIT = 1 << 20;

    @Test
    void theyAreNotSentAndLeaveNothing() throws Exception {
        AtomicReference<Runnable> registering = new AtomicReference<>(() -> {});
        try (RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);
                RawPeer server = new RawPeer(RawPeer.privateData(false))) {
            RegisteredPool pool = new RegisteredPool(provider, LIMIT);
            RdmaMemory memory = new RdmaMemory(OneDevice.watched(provider, registering), pool);
            try (RpcConnection client = OneDevice.transport(new Device(provider, memory))
                    .connect(server.listen(), ConnectionOptions.DEFAULT)) {
                registering.set(GivenUpCallsTest::takeLong);
                RpcCall<Items> call = client.call(
                        Blobs.GET,
                        List.of(100_000L),
                        List.of(Destination.into(ByteBuffer.allocateDirect(100_000))),
                        SMALL_REPLY.withTimeout(Duration.ofMillis(50)));
                assertFails(call::await, Kind.TIMED_OUT);

                RpcCall<XdrOpaque> next = client.call(Blobs.ECHO, NOTHING, List.of(), SMALL_REPLY);
                int[] sent = server.receive();
                assertThat(sent).endsWith(0).hasSize(7 + 10 + 1);
                server.send(
                        Words.header(sent[0], 8, 0).and(0, 0, 0).reply(sent[0]).and(0));
                assertThat(next.await()).isEqualTo(NOTHING);
            }
            Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
                PooledBuffer all = pool.acquire(LIMIT);
                try {
                    assertThat(provider.statistics().bytesHeld()).isEqualTo(LIMIT);
                } finally {
                    all.release();
                }
            });
        }
    }

    private static void takeLong() {
        try {
            Thread.sleep(300);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
