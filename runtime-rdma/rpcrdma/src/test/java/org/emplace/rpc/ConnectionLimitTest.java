// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rpc.transport.ConnectionLimit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server has no more connections than it is allowed. */
final class ConnectionLimitTest {
    private static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void aConnectionTooManyIsRefusedUntilAnotherEnds(String scheme) throws Exception {
        try (RpcServer server = RpcServer.builder()
                .service(EchoProgram.service())
                .listen(URI.create(scheme + "://127.0.0.1:0"))
                .connections(1)
                .start()) {
            URI address = URI.create(
                    scheme + "://127.0.0.1:" + server.addresses().get(0).getPort());
            try (RpcConnection only = Rpc.connect(address)) {
                echo(only);
                assertThatThrownBy(() -> connectAndEcho(address)).isInstanceOf(RpcException.class);
                echo(only);
            }
            Awaitility.await().ignoreException(RpcException.class).until(() -> {
                connectAndEcho(address);
                return true;
            });
        }
    }

    @Test
    void refusalsAreSaidOnceUntilATenthOfTheConnectionsHasEnded() {
        List<String> said = new ArrayList<>();
        ConnectionLimit limit = new ConnectionLimit(10, said::add);
        fill(limit);
        limit.leave();
        fill(limit);
        assertThat(said).hasSize(1);
        limit.leave();
        limit.leave();
        fill(limit);
        assertThat(said).hasSize(2);
        assertThat(limit.refused()).isEqualTo(3);
    }

    /** Takes all places, and is refused one more. */
    private static void fill(ConnectionLimit limit) {
        while (limit.admit(PEER)) {
            assertThat(limit.most()).isEqualTo(10);
        }
    }

    private static void connectAndEcho(URI address) throws Exception {
        try (RpcConnection connection = Rpc.connect(address)) {
            echo(connection);
        }
    }

    private static void echo(RpcConnection connection) throws Exception {
        assertThat(connection
                        .call(EchoProgram.ECHO, 42, List.of(), CallOptions.DEFAULT)
                        .await())
                .isEqualTo(42);
    }
}
