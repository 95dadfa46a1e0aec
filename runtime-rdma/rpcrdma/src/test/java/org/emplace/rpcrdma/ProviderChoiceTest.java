// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.emplace.RpcRuntime;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RdmaProviderFactory;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.limits.ConnectionLimit;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpc.transport.RpcTransport.Listener;
import org.emplace.rpc.transport.RuntimeResources;
import org.emplace.rpc.transport.RuntimeResources.Settings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The choice between two providers: {@code verbs}, with a device for 127.0.0.2, and {@code iwarp}, for every address.
 */
final class ProviderChoiceTest {
    private final ServiceDispatcher dispatcher = new ServiceDispatcher(1);
    private final List<Listener> listeners = new ArrayList<>();
    private final List<String> said = new ArrayList<>();
    private RdmaProvider hardware;
    private RdmaProvider software;

    @BeforeEach
    void open() throws Exception {
        hardware = IwarpProvider.open(IwarpOptions.DEFAULTS);
        software = IwarpProvider.open(IwarpOptions.DEFAULTS);
    }

    @AfterEach
    void close() {
        System.clearProperty(RpcRuntime.RDMA_PROVIDER_PROPERTY);
        listeners.forEach(Listener::close);
        dispatcher.close();
        hardware.close();
        software.close();
    }

    @Test
    void hostsWithARouteUseHardwareAndOthersUseSoftware() throws Exception {
        RdmaTransport transport = transport(Optional.empty());
        int port = listen(transport, "0.0.0.0");
        connect(transport, "127.0.0.2", port);
        connect(transport, "127.0.0.1", port);

        assertThat(said)
                .containsExactly(
                        "RDMA at 0.0.0.0 by verbs, which has a device for it",
                        "RDMA to 127.0.0.2 by verbs, which has a device for it",
                        "RDMA to 127.0.0.1 by iwarp (verbs: no device for 127.0.0.1)");
    }

    @Test
    void theChoiceIsLoggedOnceForAHost() throws Exception {
        RdmaTransport transport = transport(Optional.empty());
        int port = listen(transport, "127.0.0.1");
        connect(transport, "127.0.0.1", port);
        connect(transport, "127.0.0.1", port);

        assertThat(said).hasSize(2);
    }

    @Test
    void softwareListensAtAddressesThatNoDeviceOwns() throws Exception {
        listen(transport(Optional.empty()), "127.0.0.1");

        assertThat(said).containsExactly("RDMA at 127.0.0.1 by iwarp (verbs: no device for 127.0.0.1)");
    }

    @Test
    void aProviderThatCannotWorkIsSkippedAndTheReasonLogged() throws Exception {
        listen(transport(Optional.of("libibverbs.so.1 is missing")), "0.0.0.0");

        assertThat(said).containsExactly("RDMA at 0.0.0.0 by iwarp (verbs: libibverbs.so.1 is missing)");
    }

    @Test
    void aRefusedConnectionIsNotTriedWithTheOtherProviderButTheMessageHasAHint() throws Exception {
        RdmaTransport transport = transport(Optional.empty());
        int closed = closedPort("127.0.0.2");

        assertFails(
                transport,
                "127.0.0.2",
                closed,
                Reason.REFUSED,
                "tried verbs, which a peer with software iWARP may not answer (-Dorg.emplace.rdma.provider=iwarp");
        assertFails(
                transport,
                "127.0.0.1",
                closed,
                Reason.REFUSED,
                "tried software iWARP, which InfiniBand and RoCE peers do not answer (verbs: no device");
    }

    @Test
    void onlyTheProviderThatThePropertyNamesIsUsed() throws Exception {
        System.setProperty(RpcRuntime.RDMA_PROVIDER_PROPERTY, "verbs");
        RdmaTransport transport = transport(Optional.empty());
        int port = listen(transport, "127.0.0.2");

        assertFails(
                transport,
                "127.0.0.1",
                port,
                Reason.NO_DEVICE,
                "verbs: no device for 127.0.0.1; the system property org.emplace.rdma.provider excludes other providers");
        assertThat(said)
                .containsExactly(
                        "RDMA at 127.0.0.2 by verbs, which the system property org.emplace.rdma.provider selects");
    }

    @Test
    void ifTheNamedProviderCannotWorkTheErrorHasTheReason() {
        System.setProperty(RpcRuntime.RDMA_PROVIDER_PROPERTY, "verbs");

        assertFails(
                transport(Optional.of("no permission on /dev/infiniband/uverbs0")),
                "127.0.0.2",
                1,
                Reason.NO_DEVICE,
                "verbs: no permission on /dev/infiniband/uverbs0");
    }

    @Test
    void anUnknownProviderNameIsAnErrorThatListsTheInstalledOnes() {
        System.setProperty(RpcRuntime.RDMA_PROVIDER_PROPERTY, "verb");

        assertFails(
                transport(Optional.empty()), "127.0.0.2", 1, Reason.NO_DEVICE, "\"verb\"", "use one of: verbs, iwarp");
    }

    @Test
    void anEmptyPropertyNamesNone() throws Exception {
        System.setProperty(RpcRuntime.RDMA_PROVIDER_PROPERTY, "");

        listen(transport(Optional.empty()), "127.0.0.1");
        assertThat(said).containsExactly("RDMA at 127.0.0.1 by iwarp (verbs: no device for 127.0.0.1)");
        assertFails(
                transport(List.of()),
                "127.0.0.1",
                1,
                Reason.NO_DEVICE,
                "no RDMA provider is installed",
                "META-INF/services/org.emplace.rdma.RdmaProviderFactory");
    }

    @Test
    void providersAreListedAndSayWhyTheyCannotWork() throws Exception {
        RdmaTransport transport = transport(Optional.of("no permission on /dev/infiniband/uverbs0"));

        assertThat(transport.rdmaProviders()).containsExactly("verbs", "iwarp");
        assertThatThrownBy(() -> transport.rdmaDevices("verbs"))
                .isInstanceOf(RpcException.class)
                .hasMessage("verbs: does not work here: no permission on /dev/infiniband/uverbs0");
        assertThatThrownBy(() -> transport.rdmaDevices("verb"))
                .isInstanceOf(RpcException.class)
                .hasMessageContainingAll("verb: not installed", "META-INF/services/");
    }

    @Test
    void providersAreFoundWhateverTheContextClassLoader() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try {
            thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
            assertThat(RdmaProviderFactory.installed())
                    .extracting(RdmaProviderFactory::name)
                    .containsOnlyOnce("iwarp");
        } finally {
            thread.setContextClassLoader(before);
        }
        assertThat(RdmaProviderFactory.installed())
                .extracting(RdmaProviderFactory::name)
                .containsOnlyOnce("iwarp");
    }

    /** The order on the class path does not matter. */
    private RdmaTransport transport(Optional<String> unavailableReason) {
        List<RdmaProviderFactory> installed = List.of(
                new RoutedProvider.Factory("iwarp", Optional.empty(), software, Set.of("127.0.0.1", "127.0.0.2")),
                new RoutedProvider.Factory("verbs", unavailableReason, hardware, Set.of("127.0.0.2")));
        return transport(installed);
    }

    private RdmaTransport transport(List<RdmaProviderFactory> installed) {
        Settings settings = Settings.DEFAULT;
        return new RdmaTransport(new InstalledDevices(installed, settings), said::add, RuntimeResources.of(settings));
    }

    private int listen(RdmaTransport transport, String host) throws RpcException {
        Listener listener =
                transport.listen(uri(host, 0), dispatcher, ConnectionOptions.DEFAULT, new ConnectionLimit(8));
        listeners.add(listener);
        return listener.localAddress().getPort();
    }

    private static void connect(RdmaTransport transport, String host, int port) throws RpcException {
        try (RpcConnection connection = transport.connect(uri(host, port), ConnectionOptions.DEFAULT)) {
            assertThat(connection.remoteAddress().getPort()).isEqualTo(port);
        }
    }

    private static void assertFails(RdmaTransport transport, String host, int port, Reason reason, String... words) {
        assertThatThrownBy(() -> transport.connect(uri(host, port), ConnectionOptions.DEFAULT))
                .isInstanceOf(RpcException.class)
                .hasMessageContainingAll(words)
                .cause()
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    }

    private static int closedPort(String host) throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(host))) {
            return socket.getLocalPort();
        }
    }

    private static URI uri(String host, int port) {
        return URI.create("rdma://" + host + ":" + port);
    }
}
