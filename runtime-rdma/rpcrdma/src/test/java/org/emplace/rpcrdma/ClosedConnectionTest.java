// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.limits.ConnectionLimit;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpc.tcp.TcpTransport;
import org.emplace.rpc.transport.RpcTransport;
import org.emplace.rpc.transport.RpcTransport.Listener;
import org.emplace.rpc.transport.RuntimeResources;
import org.emplace.rpc.transport.RuntimeResources.Settings;
import org.emplace.rpcrdma.Blobs.Items;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closed connections, servers and providers leave nothing behind. */
@Timeout(120)
final class ClosedConnectionTest {

    @Test
    void aClosedConnectionIsGarbageCollected() throws Exception {
        RpcTransport transport = OneDevice.transport(OneDevice.device(IwarpProvider.open(IwarpOptions.DEFAULTS)));
        try (ServiceDispatcher dispatcher = new ServiceDispatcher(2)) {
            Listener listener = listen(transport, "rdma", dispatcher);
            List<WeakReference<RpcConnection>> closed = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                closed.add(useAndClose(transport, "rdma", listener));
            }
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
                System.gc();
                return closed.stream().allMatch(connection -> connection.get() == null);
            });
            listener.close();
        }
    }

    @Test
    void theThreadsEndAfterTheLastConnectionOverTcp() throws Exception {
        leavesNoThread("tcp", new TcpTransport(RuntimeResources.of(Settings.DEFAULT)));
    }

    @Test
    void theThreadsEndAfterTheLastConnectionOverRdma() throws Exception {
        leavesNoThread("rdma", OneDevice.transport(OneDevice.device(IwarpProvider.open(IwarpOptions.DEFAULTS))));
    }

    /** Closes neither transport nor provider, like a program that ends. */
    private static void leavesNoThread(String scheme, RpcTransport transport) throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        try (ServiceDispatcher dispatcher = new ServiceDispatcher(2)) {
            Listener listener = listen(transport, scheme, dispatcher);
            useAndClose(transport, scheme, listener);
            assertThat(ofTheRuntimeSince(before)).isNotEmpty();
            listener.close();
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(ofTheRuntimeSince(before)).isEmpty());
    }

    /** Maven's exec:java and containers run an application in a thread group, and wait for all of its threads. */
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void noThreadBelongsToTheApplicationForWhichItStarts(String scheme) throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        RpcTransport transport = scheme.equals("tcp")
                ? new TcpTransport(RuntimeResources.of(Settings.DEFAULT))
                : OneDevice.transport(OneDevice.device(IwarpProvider.open(IwarpOptions.DEFAULTS)));
        FutureTask<Set<Thread>> program = new FutureTask<>(() -> {
            try (ServiceDispatcher dispatcher = new ServiceDispatcher(2)) {
                Listener listener = listen(transport, scheme, dispatcher);
                useAndClose(transport, scheme, listener);
                listener.close();
                return ofTheRuntimeSince(before);
            }
        });
        ThreadGroup application = new ThreadGroup("an application");
        Thread main = new Thread(application, program);
        ClassLoader loader = new ClassLoader() {};
        main.setContextClassLoader(loader);
        main.start();

        Set<Thread> started = program.get(20, TimeUnit.SECONDS);

        assertThat(started).extracting(Thread::getName).contains("emplace-rpc-server");
        assertThat(started).allSatisfy(thread -> {
            assertThat(thread.isDaemon()).isTrue();
            assertThat(thread.getThreadGroup()).isNotSameAs(application);
            assertThat(thread.getContextClassLoader()).isNotSameAs(loader);
        });
    }

    private static Set<Thread> ofTheRuntimeSince(Set<Thread> before) {
        Set<Thread> since = new HashSet<>(Thread.getAllStackTraces().keySet());
        since.removeAll(before);
        since.removeIf(thread -> !thread.getName().startsWith("emplace-"));
        return since;
    }

    private static Listener listen(RpcTransport transport, String scheme, ServiceDispatcher dispatcher)
            throws Exception {
        dispatcher.add(Blobs.service());
        return transport.listen(
                URI.create(scheme + "://127.0.0.1:0"), dispatcher, ConnectionOptions.DEFAULT, new ConnectionLimit(16));
    }

    private static WeakReference<RpcConnection> useAndClose(RpcTransport transport, String scheme, Listener listener)
            throws Exception {
        URI address =
                URI.create(scheme + "://127.0.0.1:" + listener.localAddress().getPort());
        try (RpcConnection connection = transport.connect(address, ConnectionOptions.DEFAULT)) {
            Items items = Items.of(Payload.of(Blobs.pattern(50_000)));
            assertThat(connection
                            .call(Blobs.PUT, items, Destinations.none(), CallOptions.DEFAULT)
                            .await())
                    .isEqualTo(50_000);
            return new WeakReference<>(connection);
        }
    }
}
