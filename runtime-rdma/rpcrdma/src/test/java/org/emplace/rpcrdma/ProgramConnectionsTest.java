// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Failures.assertFails;

import java.net.URI;
import java.util.List;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rpc.CallObserver.CallReport;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.RpcService;
import org.emplace.rpcrdma.header.ConnectionPrivateData;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connections for a program have the port and the inline threshold of its binding. */
final class ProgramConnectionsTest {
    private static final RpcProgram OTHER = RpcProgram.of("OTHER", Blobs.PROGRAM.number() + 1, 1);

    /** A host at which nothing else listens, and whose rpcbind does not know the program. */
    private static final URI WITHOUT_PORT = URI.create("rdma://127.0.77.3");

    @Test
    void clientAndServerMeetAtThePortOfTheBinding() throws Exception {
        RpcProgram program = Blobs.PROGRAM.withRdmaPort(20_777);
        try (RpcServer server = RpcServer.builder()
                .service(served(program))
                .listen(WITHOUT_PORT)
                .start()) {
            assertThat(server.addresses().get(0).getPort()).isEqualTo(20_777);
            for (RpcConnection client :
                    List.of(Rpc.connect(WITHOUT_PORT, program), Rpc.client(WITHOUT_PORT, program))) {
                try (client) {
                    assertThat(echo(client, 9)).isEqualTo(9);
                }
            }
        }
    }

    @Test
    void addressWithoutPortNeedsAProgramWithAPort() {
        assertFails(() -> Rpc.connect(WITHOUT_PORT), Kind.NOT_CONNECTED)
                .hasMessageContaining("rdma://127.0.77.3: an address has the form scheme://host:port");
        assertFails(
                () -> RpcServer.builder()
                        .service(served(Blobs.PROGRAM))
                        .listen(WITHOUT_PORT)
                        .start(),
                Kind.NOT_CONNECTED);
    }

    @Test
    void messagesUpToTheRecommendedThresholdAreInlineInBothDirections() throws Exception {
        try (Peers peers = new Peers(served(Blobs.PROGRAM.withInlineThreshold(16 << 10)))) {
            assertThat(echo(peers.client, 15_000)).isEqualTo(15_000);

            CallReport report = peers.report();
            assertThat(report.inlineBytes()).isGreaterThan(2 * 15_000);
            assertThat(report.positionZeroBytes() + report.replyChunkBytes()).isZero();
        }
    }

    /** Empty if a program recommends none, or the options set none. */
    @ParameterizedTest
    @CsvSource({",,, 8192", "16384,,, 16384", "16384, 32768,, 32768", "2048,,, 8192", "16384, 32768, 4096, 4096"})
    void thresholdIsThatOfTheOptionsOrTheLargestRecommendedOne(
            Integer one, Integer other, Integer ofOptions, int expected) throws Exception {
        RpcProgram first = recommending(Blobs.PROGRAM, one);
        RpcProgram second = recommending(OTHER, other);
        ConnectionOptions options = ofOptions == null
                ? ConnectionOptions.DEFAULT
                : ConnectionOptions.DEFAULT.withInlineThreshold(ofOptions);

        try (RawPeer peer = new RawPeer(new byte[0]);
                RpcConnection client = Rpc.connect(peer.listen(), options, first, second)) {
            assertThat(client).isNotNull();
            assertThat(announcedTo(peer)).isEqualTo(expected);
        }
        try (RpcServer server = RpcServer.builder()
                        .service(served(first))
                        .service(served(second))
                        .options(options)
                        .listen(URI.create("rdma://127.0.0.1:0"))
                        .start();
                RawPeer peer = RawPeer.connectedTo(
                        URI.create(
                                "rdma://127.0.0.1:" + server.addresses().get(0).getPort()),
                        new byte[0])) {
            assertThat(announcedTo(peer)).isEqualTo(expected);
        }
    }

    private static RpcProgram recommending(RpcProgram program, Integer threshold) {
        return threshold == null ? program : program.withInlineThreshold(threshold);
    }

    private static int announcedTo(RawPeer peer) throws Exception {
        ConnectionPrivateData announced =
                ConnectionPrivateData.find(peer.queuePair().remotePrivateData());
        assertThat(announced.sendSize()).isEqualTo(announced.receiveSize());
        return announced.receiveSize();
    }

    private static RpcService served(RpcProgram program) {
        return new RpcService(program, Blobs.service().handlers());
    }

    private static int echo(RpcConnection client, int bytes) throws Exception {
        CallOptions options = CallOptions.DEFAULT.withUnboundedReplySize(bytes + 8);
        return client.call(Blobs.ECHO, XdrOpaque.of(new byte[bytes]), Destinations.none(), options)
                .await()
                .length();
    }
}
