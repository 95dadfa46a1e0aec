// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.emplace.rpc.EchoProgram.echo;
import static org.emplace.rpc.Failures.assertFails;
import static org.emplace.rpc.Loopback.OPTIONS;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.management.ObjectName;
import org.awaitility.Awaitility;
import org.emplace.Rpc;
import org.emplace.RpcRuntime;
import org.emplace.RpcServer;
import org.emplace.rpc.RpcException.Kind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runtimes of their own, and clients that connect when they are used. */
@Timeout(60)
final class RpcRuntimeTest {
    /** The system property by which providers register themselves for JMX. */
    private static final String BEANS = "org.emplace.jmx";

    private final Set<Thread> before = Thread.getAllStackTraces().keySet();

    @AfterEach
    void clear() {
        System.clearProperty(BEANS);
        System.clearProperty(RpcRuntime.RDMA_PROVIDER_PROPERTY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void aClosedRuntimeHasEndedServersClientsThreadsAndDevices(String scheme) throws Exception {
        System.setProperty(BEANS, "true");
        Set<ObjectName> devices = devices();
        RpcRuntime runtime = RpcRuntime.builder().build();
        RpcServer server = serve(runtime, scheme);
        RpcClient client = runtime.client(address(scheme, server), ConnectionOptions.DEFAULT);
        RpcClient connection = runtime.connect(address(scheme, server), ConnectionOptions.DEFAULT);
        assertThat(echo(client, 1)).isEqualTo(1);
        assertThat(echo(connection, 1)).isEqualTo(1);
        assertThat(devices()).hasSize(devices.size() + (scheme.equals("rdma") ? 1 : 0));

        runtime.close();
        runtime.close();

        client.closed().toCompletableFuture().get(1, TimeUnit.SECONDS);
        assertFails(() -> echo(client, 1), Kind.DISCONNECTED);
        assertFails(() -> echo(connection, 1), Kind.DISCONNECTED);
        assertFails(() -> Rpc.connect(address(scheme, server)), Kind.NOT_CONNECTED);
        assertThat(devices()).isEqualTo(devices);
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(threadsSince()).isEmpty());
    }

    @Test
    void aClosedRuntimeOpensNothing() throws Exception {
        RpcRuntime runtime = RpcRuntime.builder().build();
        runtime.close();

        URI anywhere = URI.create("tcp://127.0.0.1:1");
        assertFails(() -> runtime.client(anywhere, ConnectionOptions.DEFAULT), Kind.NOT_CONNECTED)
                .hasMessageContaining("the runtime is closed");
        assertFails(() -> runtime.connect(anywhere, ConnectionOptions.DEFAULT), Kind.NOT_CONNECTED);
        assertFails(runtime::rdmaProviders, Kind.NOT_CONNECTED);
        assertFails(() -> serve(runtime, "rdma"), Kind.NOT_CONNECTED).hasMessageContaining("the runtime is closed");
    }

    @Test
    void aRuntimeListsItsDevicesWithWhatTheySupport() throws Exception {
        try (RpcRuntime runtime = RpcRuntime.builder().build()) {
            assertThat(runtime.rdmaProviders()).contains("iwarp");
            assertThat(runtime.rdmaDevices("iwarp")).singleElement().satisfies(device -> {
                assertThat(device).hasToString("software, iWARP, active");
                assertThat(device.capabilities()).containsEntry("remote invalidation", "both ways");
            });
        }
    }

    @Test
    void theSharedRuntimeIsNotClosed() {
        assertThatThrownBy(() -> RpcRuntime.shared().close()).isInstanceOf(UnsupportedOperationException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void aRuntimeHasAsManyEventLoopsAsItIsGiven(String scheme) throws Exception {
        try (RpcRuntime runtime = RpcRuntime.builder().eventLoops(1).build()) {
            RpcServer server = serve(runtime, scheme);
            for (int i = 0; i < 4; i++) {
                echo(runtime.client(address(scheme, server), ConnectionOptions.DEFAULT), i);
            }
            assertThat(threadsSince())
                    .filteredOn(name -> name.matches("emplace-(tcp|iwarp)-\\d+"))
                    .hasSize(1);
        }
    }

    @Test
    void registeredMemoryIsLimitedForEachRuntime() throws Exception {
        try (RpcRuntime small = RpcRuntime.builder().registeredMemory(1024).build();
                RpcServer server = Loopback.serve("rdma", EchoProgram.service())) {
            assertFails(() -> small.connect(address("rdma", server), ConnectionOptions.DEFAULT), Kind.NOT_CONNECTED)
                    .hasMessageContaining("all 1024 bytes of pooled registered memory");
        }
    }

    @Test
    void theProviderOfARuntimeIsTheOnlyOneThatItUses() throws Exception {
        System.setProperty(RpcRuntime.RDMA_PROVIDER_PROPERTY, "iwarp");
        try (RpcRuntime runtime = RpcRuntime.builder().rdmaProvider("none").build()) {
            URI anywhere = URI.create("rdma://127.0.0.1:1");
            assertFails(() -> runtime.connect(anywhere, ConnectionOptions.DEFAULT), Kind.NOT_CONNECTED)
                    .hasMessageContaining(
                            "the RDMA provider \"none\" of the runtime is not installed; use one of: iwarp");
        }
    }

    @Test
    void sizesArePositive() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RpcRuntime.builder().eventLoops(0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RpcRuntime.builder().tcpMessageMemory(0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RpcRuntime.builder().registeredMemory(-1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void aLazyClientConnectsWhenItIsUsed(String scheme) throws Exception {
        int port = freePort();
        URI address = URI.create(scheme + "://127.0.0.1:" + port);
        ConnectionOptions lazy = ConnectionOptions.DEFAULT.withLazyConnect(true);
        try (RpcClient client = Rpc.client(address, lazy)) {
            assertThatThrownBy(client::remoteAddress)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not connected yet");
            assertThatThrownBy(client::memory).isInstanceOf(IllegalStateException.class);
            RpcCall<Integer> waiting = client.call(EchoProgram.ECHO, 1, Destinations.none(), OPTIONS);

            try (RpcServer server = RpcServer.builder()
                    .service(EchoProgram.service())
                    .listen(address)
                    .start()) {
                assertThat(waiting.await()).isEqualTo(1);
                assertThat(client.remoteAddress().getPort()).isEqualTo(port);
                assertThat(server.load().connections()).isEqualTo(1);
            }
        }
    }

    @Test
    void aLazyClientSaysWhyItIsNotConnected() throws Exception {
        URI nobody = URI.create("tcp://127.0.0.1:" + freePort());
        try (RpcClient client = Rpc.client(nobody, ConnectionOptions.DEFAULT.withLazyConnect(true))) {
            CallOptions soon = CallOptions.DEFAULT.withTimeout(Duration.ofMillis(300));
            RpcCall<Integer> call = client.call(EchoProgram.ECHO, 1, Destinations.none(), soon);

            assertFails(call::await, Kind.TIMED_OUT)
                    .hasMessageContaining("no connection: " + nobody + ": cannot connect");
        }
    }

    @Test
    void aLazyClientConnectsToServe() throws Exception {
        RpcService service = EchoProgram.callingBack();
        try (RpcServer server = Loopback.serve(service);
                RpcClient client =
                        Rpc.client(address("tcp", server), ConnectionOptions.DEFAULT.withLazyConnect(true))) {
            client.serve(EchoProgram.service());
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> client.serve(EchoProgram.service()))
                    .withMessageContaining("is served already");

            Awaitility.await().until(() -> server.load().connections() == 1);
            assertThat(echo(client, 5)).isEqualTo(5);
        }
    }

    @Test
    void theFirstCallsOfALazyClientShareAConnection() throws Exception {
        try (RpcServer server = Loopback.serve(EchoProgram.service());
                RpcClient client =
                        Rpc.client(address("tcp", server), ConnectionOptions.DEFAULT.withLazyConnect(true))) {
            assertThat(server.load().connections()).isZero();
            List<RpcCall<Integer>> calls = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                calls.add(client.call(EchoProgram.ECHO, i, Destinations.none(), OPTIONS));
            }
            for (int i = 0; i < calls.size(); i++) {
                assertThat(calls.get(i).await()).isEqualTo(i);
            }
            assertThat(server.load().connections()).isEqualTo(1);
        }
    }

    @Test
    void aLazyClientThatIsNotUsedNeverConnects() throws Exception {
        try (RpcServer server = Loopback.serve(EchoProgram.service())) {
            RpcClient client = Rpc.client(address("tcp", server), ConnectionOptions.DEFAULT.withLazyConnect(true));
            client.close();
            client.closed().toCompletableFuture().get(1, TimeUnit.SECONDS);

            assertFails(() -> echo(client, 1), Kind.DISCONNECTED);
            assertThat(server.load().connections()).isZero();
        }
    }

    private static RpcServer serve(RpcRuntime runtime, String scheme) throws RpcException {
        return runtime.serverBuilder()
                .service(EchoProgram.service())
                .listen(URI.create(scheme + "://127.0.0.1:0"))
                .start();
    }

    private static URI address(String scheme, RpcServer server) {
        return Loopback.address(scheme, server);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static Set<ObjectName> devices() throws Exception {
        return ManagementFactory.getPlatformMBeanServer()
                .queryNames(new ObjectName("org.emplace.rdma:type=Provider,*"), null);
    }

    private Set<String> threadsSince() {
        Set<String> since = new HashSet<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (!before.contains(thread) && thread.getName().startsWith("emplace-")) {
                since.add(thread.getName());
            }
        }
        return since;
    }
}
