// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
        Deque<InetSocketAddress> peers = new ArrayDeque<>();
        fill(limit, peers);
        limit.leave(peers.pop());
        fill(limit, peers);
        assertThat(said).hasSize(1);
        limit.leave(peers.pop());
        limit.leave(peers.pop());
        fill(limit, peers);
        assertThat(said).hasSize(2);
        assertThat(limit.refused()).isEqualTo(3);
    }

    @Test
    void oneAddressLeavesConnectionsToOthers() {
        List<String> said = new ArrayList<>();
        ConnectionLimit limit = new ConnectionLimit(64, said::add);

        assertThat(admitted(limit, 1)).isEqualTo(56);
        assertThat(said).hasSize(1).first().asString().contains("its address has 56 of the server's 64");
        assertThat(admitted(limit, 2)).isEqualTo(7);
        assertThat(admitted(limit, 3)).isEqualTo(1);
        limit.leave(peer(1));
        limit.leave(peer(1));
        assertThat(admitted(limit, 1)).isZero();
        assertThat(admitted(limit, 4)).isEqualTo(2);
    }

    @Test
    void aFewConnectionsAreForWhoeverComes() {
        assertThat(admitted(new ConnectionLimit(7, said -> {}), 1)).isEqualTo(7);
    }

    /** How many connections an address is admitted with. */
    private static int admitted(ConnectionLimit limit, int host) {
        int admitted = 0;
        while (limit.admit(peer(host))) {
            admitted++;
        }
        return admitted;
    }

    /** Takes all places, each for another address, and is refused one more. */
    private static void fill(ConnectionLimit limit, Deque<InetSocketAddress> admitted) {
        for (int host = 100 + admitted.size(); limit.admit(peer(host)); host++) {
            admitted.push(peer(host));
            assertThat(limit.most()).isEqualTo(10);
        }
    }

    private static InetSocketAddress peer(int host) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) host}), 1);
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
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
