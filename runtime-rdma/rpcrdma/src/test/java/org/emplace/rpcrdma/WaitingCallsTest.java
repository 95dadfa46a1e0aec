// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.emplace.rpc.Failures.assertFails;
import static org.emplace.rpcrdma.ClientOfRawPeer.NOTHING;
import static org.emplace.rpcrdma.ClientOfRawPeer.SMALL_REPLY;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.emplace.rdma.RdmaException;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.transport.CallQueue;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that wait for a credit, with a server that does not reply. */
@Timeout(60)
final class WaitingCallsTest {
    private static final int LIMIT = 1 << 20;

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

    private RpcCall<XdrOpaque> echo() {
        return peers.client.call(Blobs.ECHO, NOTHING, List.of(), SMALL_REPLY.withTimeout(Duration.ofSeconds(50)));
    }
}
