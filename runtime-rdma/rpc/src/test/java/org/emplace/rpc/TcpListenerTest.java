// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.emplace.Rpc;
import org.emplace.rpc.limits.ConnectionLimit;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpc.transport.RpcTransport.Listener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Errors that a listener survives. */
@Timeout(60)
final class TcpListenerTest {

    @Test
    void otherConnectionsAreAcceptedAfterLackOfMemoryForOne() throws Exception {
        CountDownLatch failed = new CountDownLatch(1);
        ConnectionLimit limit = new ConnectionLimit(1, Duration.ofMinutes(1), refusal -> {
            failed.countDown();
            throw new OutOfMemoryError("as the test wants it");
        });
        try (ServiceDispatcher dispatcher = new ServiceDispatcher(1)) {
            dispatcher.add(EchoProgram.service());
            Listener listener = Loopback.tcp().listen(Loopback.ANY_PORT, dispatcher, ConnectionOptions.DEFAULT, limit);
            URI address =
                    URI.create("tcp://127.0.0.1:" + listener.localAddress().getPort());
            try (RpcConnection only = Rpc.connect(address)) {
                echo(only);
                assertThatThrownBy(() -> connectAndEcho(address)).isInstanceOf(RpcException.class);
                assertThat(failed.await(20, TimeUnit.SECONDS)).isTrue();
                echo(only);
            }

            Awaitility.await().ignoreException(RpcException.class).until(() -> {
                connectAndEcho(address);
                return true;
            });
            listener.close();
        }
    }

    private static void connectAndEcho(URI address) throws Exception {
        try (RpcConnection connection = Rpc.connect(address)) {
            echo(connection);
        }
    }

    private static void echo(RpcConnection connection) throws Exception {
        assertThat(EchoProgram.echo(connection, 42)).isEqualTo(42);
    }
}
