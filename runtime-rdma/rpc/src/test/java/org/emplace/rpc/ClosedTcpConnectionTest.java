// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.EchoProgram.echo;
import static org.emplace.rpc.Loopback.OPTIONS;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.emplace.RpcServer;
import org.emplace.reactor.LoggedBy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A closed connection leaves nothing behind. */
@Timeout(120)
final class ClosedTcpConnectionTest {
    private static final int CONNECTIONS = 1_500;

    @Test
    void closingRightAfterCallsLogsNothing() throws Exception {
        try (RpcServer server = Loopback.serve(EchoProgram.service().handlingOnLoop(EchoProgram.ECHO));
                LoggedBy logged = LoggedBy.names("org.emplace.rpc.tcp", "org.emplace.reactor")) {
            for (int i = 0; i < CONNECTIONS; i++) {
                try (RpcConnection connection = Loopback.connect(server)) {
                    RpcCall<Integer> unused = connection.call(EchoProgram.ECHO, i, Destinations.none(), OPTIONS);
                    // The event loop may be at any point of setting up the connection.
                    LockSupport.parkNanos((i % 50) * 5_000L);
                }
            }
            assertThat(logged.messages()).isEmpty();
        }
    }

    @Test
    void aClosedConnectionIsGarbageCollected() throws Exception {
        try (RpcServer server = Loopback.serve(EchoProgram.service())) {
            List<WeakReference<RpcConnection>> closed = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                closed.add(useAndClose(server));
            }
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
                System.gc();
                return closed.stream().allMatch(connection -> connection.get() == null);
            });
        }
    }

    private static WeakReference<RpcConnection> useAndClose(RpcServer server) throws Exception {
        try (RpcConnection connection = Loopback.connect(server)) {
            assertThat(echo(connection, 7)).isEqualTo(7);
            return new WeakReference<>(connection);
        }
    }
}
