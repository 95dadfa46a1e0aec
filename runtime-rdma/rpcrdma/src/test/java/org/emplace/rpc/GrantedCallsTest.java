// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A server that is only busy serves every call: many connections, each with more calls than its credits, and handlers that take no time or much longer
 * than there are threads for. {@code -Dtest=GrantedCallsTest -Dgranted.connections=1024 -Dgranted.millis=500 -Dgranted.threads=16} sets the numbers, and
 * {@code -Dgranted.addresses=1024} lets each connection come from an address of its own. RDMA is software iWARP or, in the lab, verbs.
 */
@Timeout(3600)
final class GrantedCallsTest {
    private static final int CONNECTIONS = Integer.getInteger("granted.connections", 40);
    /** The number of calls of each connection at a time. */
    private static final int CALLS = Integer.getInteger("granted.calls", 64);

    private static final int MILLIS = Integer.getInteger("granted.millis", 50);
    private static final int THREADS = Integer.getInteger("granted.threads", 64);
    /** The number of addresses of this machine that the connections come from. */
    private static final int ADDRESSES = Integer.getInteger("granted.addresses", 1);

    private static final CallOptions PATIENT = CallOptions.DEFAULT.withTimeout(Duration.ofHours(1));
    private static final ConnectionOptions CONNECTING =
            ConnectionOptions.DEFAULT.withConnectTimeout(Duration.ofMinutes(5));

    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    @ParameterizedTest
    @CsvSource({"tcp, 0", "tcp, 1", "rdma, 0", "rdma, 1"})
    void noneIsRefused(String scheme, int slow, TestReporter reporter) throws Exception {
        RpcService service = EchoProgram.service((value, call) -> {
            Thread.sleep((long) slow * MILLIS);
            return CompletableFuture.completedFuture(value);
        });
        List<RpcConnection> clients = new ArrayList<>();
        try (RpcServer server = Loopback.builder(scheme, service)
                        .threads(THREADS)
                        .maxConnections(2 * CONNECTIONS)
                        .start();
                Relay relay = new Relay(scheme, server.addresses().get(0))) {
            for (int i = 0; i < CONNECTIONS; i++) {
                URI address = ADDRESSES == 1 ? Loopback.address(scheme, server) : relay.address();
                clients.add(Rpc.connect(address, CONNECTING));
            }
            CountDownLatch answered = new CountDownLatch(CONNECTIONS * CALLS);
            for (int i = 0; i < CALLS; i++) {
                for (RpcConnection client : clients) {
                    client.call(EchoProgram.ECHO, i, Destinations.none(), PATIENT)
                            .completion()
                            .whenComplete((value, failure) -> ended(failure, answered));
                }
            }

            int longestLine = 0;
            while (!answered.await(10, TimeUnit.MILLISECONDS)) {
                longestLine = Math.max(longestLine, server.load().callsWaiting());
            }

            reporter.publishEntry(scheme + ", " + slow * MILLIS + " ms", "most calls waiting: " + longestLine);
            assertThat(failures).isEmpty();
            assertThat(server.load().callsWaiting()).isZero();
        } finally {
            clients.forEach(RpcConnection::close);
        }
    }

    private void ended(@Nullable Throwable failure, CountDownLatch answered) {
        if (failure != null) {
            failures.add(failure);
        }
        answered.countDown();
    }

    /** Passes on connections from addresses of 127.0.0.0/8, in turn, because a client cannot choose its address. */
    private static final class Relay implements AutoCloseable {
        private static final int FIRST_ADDRESS = 0x7f00_0101;

        private final String scheme;
        private final InetSocketAddress server;
        private final ServerSocket listening = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        private final Queue<Socket> open = new ConcurrentLinkedQueue<>();

        Relay(String scheme, InetSocketAddress server) throws IOException {
            this.scheme = scheme;
            this.server = server;
            start(this::accept);
        }

        URI address() {
            return URI.create(scheme + "://127.0.0.1:" + listening.getLocalPort());
        }

        private interface Task {
            void run() throws IOException;
        }

        private static void start(Task task) {
            new Thread(() -> {
                        try {
                            task.run();
                        } catch (IOException closed) {
                            // The test is over, or its client fails and says why.
                        }
                    })
                    .start();
        }

        private void accept() throws IOException {
            for (int i = 0; true; i++) {
                Socket client = listening.accept();
                open.add(client);
                byte[] from = ByteBuffer.allocate(Integer.BYTES)
                        .putInt(FIRST_ADDRESS + i % ADDRESSES)
                        .array();
                Socket onward = new Socket();
                onward.bind(new InetSocketAddress(InetAddress.getByAddress(from), 0));
                onward.connect(server);
                open.add(onward);
                client.setTcpNoDelay(true);
                onward.setTcpNoDelay(true);
                start(() -> client.getInputStream().transferTo(onward.getOutputStream()));
                start(() -> onward.getInputStream().transferTo(client.getOutputStream()));
            }
        }

        @Override
        public void close() throws IOException {
            listening.close();
            for (Socket each : open) {
                each.close();
            }
        }
    }
}
