// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.rpc.CallObserver.CallReport;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.limits.ConnectionLimit;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpc.transport.RpcTransport.Listener;
import org.emplace.rpcrdma.Blobs.Items;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server whose handlers pass on arguments. All its connections share one event loop, which must not block. */
@Timeout(60)
final class ProxyTest {
    private static final CallOptions IN_TIME = CallOptions.DEFAULT.withTimeout(Duration.ofSeconds(20));
    private static final IwarpOptions ONE_LOOP = new IwarpOptions(
            true,
            2,
            1,
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(2),
            Duration.ofSeconds(10),
            16);
    private static final int WRITES = 12;
    private static final int LENGTH = 256 << 10;

    private final Queue<CallReport> passedOn = new ConcurrentLinkedQueue<>();
    private final ConnectionOptions observed = ConnectionOptions.DEFAULT.withObserver(passedOn::add);
    private final ServiceDispatcher dispatcher = new ServiceDispatcher(4);
    private RdmaProvider provider;
    private RdmaTransport transport;

    @BeforeEach
    void open() throws Exception {
        // A verbs provider has one loop in any case.
        provider = RawPeer.PROVIDER.equals("iwarp") ? IwarpProvider.open(ONE_LOOP) : RawPeer.openProvider();
        transport = OneDevice.transport(OneDevice.device(provider));
    }

    @AfterEach
    void close() {
        dispatcher.close();
        provider.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void argumentsOfConcurrentCallsArePassedOn(String scheme) throws Exception {
        assertPassesOn(scheme, UnaryOperator.identity());
    }

    /** The calls to the origin wait until the proxy has fetched the arguments. */
    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void argumentsThatAreStillInTheirCallersMemoryArePassedOn(String scheme) throws Exception {
        assertPassesOn(scheme, service -> service.fetchingByHand(Blobs.PUT));
    }

    private void assertPassesOn(String scheme, UnaryOperator<RpcService> having) throws Exception {
        try (RpcServer origin = RpcServer.builder()
                        .service(Blobs.service())
                        .listen(URI.create(scheme + "://" + RawPeer.HOST + ":0"))
                        .start();
                RpcConnection upstream = upstream(origin, scheme);
                Listener proxy = listen(having.apply(passingOnTo(upstream)));
                RpcConnection client = Rpc.connect(address(proxy.localAddress(), "rdma"), ConnectionOptions.DEFAULT)) {
            List<RpcCall<Long>> calls = new ArrayList<>();
            for (int i = 0; i < WRITES; i++) {
                Items items = Items.of(Payload.of(Blobs.pattern(LENGTH)));
                calls.add(client.call(Blobs.PUT, items, Destinations.none(), IN_TIME));
            }
            for (RpcCall<Long> call : calls) {
                assertThat(call.await()).isEqualTo(LENGTH);
            }
            assertThat(passedOn)
                    .hasSize(WRITES)
                    .extracting(CallReport::copiedBytes)
                    .containsOnly(0L);
        }
    }

    private RpcConnection upstream(RpcServer origin, String scheme) throws Exception {
        URI address = address(origin.addresses().get(0), scheme);
        return scheme.equals("rdma") ? transport.connect(address, observed) : Rpc.connect(address, observed);
    }

    private static RpcService passingOnTo(RpcConnection upstream) {
        return Blobs.service(Blobs.handler(
                Blobs.PUT,
                (items, call) -> upstream.call(Blobs.PUT, items, Destinations.none(), IN_TIME)
                        .completion()));
    }

    private Listener listen(RpcService service) throws Exception {
        dispatcher.add(service);
        return transport.listen(
                URI.create("rdma://" + RawPeer.HOST + ":0"),
                dispatcher,
                ConnectionOptions.DEFAULT,
                new ConnectionLimit(8));
    }

    private static URI address(InetSocketAddress address, String scheme) {
        return URI.create(scheme + "://" + RawPeer.HOST + ":" + address.getPort());
    }
}
