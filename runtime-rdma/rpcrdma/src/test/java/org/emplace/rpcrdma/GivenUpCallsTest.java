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
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.rpc.Destination;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpcrdma.Blobs.Items;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that time out while their memory is being registered, which this test delays. */
@Timeout(60)
final class GivenUpCallsTest {
    @Test
    void theyAreNotSentAndLeaveNothing() throws Exception {
        AtomicReference<Runnable> registering = new AtomicReference<>(() -> {});
        RdmaProvider software = IwarpProvider.open(IwarpOptions.DEFAULTS);
        RegisteredPool unwatched = new RegisteredPool(software, 1 << 20);
        try (OneDevice device = new OneDevice(OneDevice.watched(software, registering), unwatched);
                ClientOfRawPeer peers = new ClientOfRawPeer(device, ClientOfRawPeer.CREDITS)) {
            registering.set(GivenUpCallsTest::takeLong);
            RpcCall<Items> call = peers.client.call(
                    Blobs.GET,
                    List.of(100_000L),
                    Blobs.into(Destination.into(ByteBuffer.allocateDirect(100_000))),
                    SMALL_REPLY.withTimeout(Duration.ofMillis(50)));
            assertFails(call::await, Kind.TIMED_OUT);

            RpcCall<XdrOpaque> next = peers.echo();
            int[] sent = peers.server.receive();
            assertThat(sent).endsWith(0).hasSize(7 + 10 + 1);
            peers.answer(sent[0], 8);
            assertThat(next.await()).isEqualTo(NOTHING);
            peers.client.close();
            device.awaitAllIsFree();
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
