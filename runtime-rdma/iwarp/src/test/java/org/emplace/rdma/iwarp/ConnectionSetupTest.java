// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.ConnectionParameters.PrivateData;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RdmaListener;
import org.emplace.rdma.RdmaListener.ConnectionAcceptor;
import org.emplace.rdma.RdmaProviderFactory;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Operation;
import org.emplace.rdma.contract.RecordingHandler;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connection set-up, accepted or not, by the bytes of the MPA frames. */
final class ConnectionSetupTest {
    private static final Duration SHORT = Duration.ofMillis(200);
    /** Eight set-ups at a time. Sockets linger for longer than a test takes. */
    private static final IwarpOptions FEW_AND_LINGERING = IwarpOptions.DEFAULTS
            .withHandshakes(8)
            .withTimeouts(Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofMinutes(1));

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @AutoClose
    private final IwarpProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS.withTimeouts(SHORT, SHORT, SHORT));

    private final RecordingHandler handler = new RecordingHandler();

    ConnectionSetupTest() throws RdmaException {}

    // ---- as responder; the request's bytes after its key: flags, revision, length, IRD and ORD, private data

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "revision 2 and CRC,              5002 0006 0008 0003, abcd, 5002 0006 0002 0008 7878",
        "no CRC,                          1002 0004 0010 0003, '',   1002 0006 0002 0010 7878",
        "an odd number of inbound Reads,  1002 0004 0007 0003, '',   1002 0006 0002 0004 7878",
        "no inbound Reads,                1002 0004 0000 0003, '',   1002 0006 0002 0000 7878",
        "revision 1,                      4001 0002,           abcd, 4001 0002 7878",
        "revision 2 without enhancement,  0002 0000,           '',   0002 0002 7878",
        "ready by a Write or a Read,      1002 0004 8008 c003, '',   1002 0006 8002 8008 7878",
        "ready by a Read,                 1002 0004 8008 4003, '',   1002 0006 8002 4008 7878",
        "ready by a Send or a Read,       1002 0004 c008 4003, '',   1002 0006 8002 4008 7878",
        "ready by a Send alone,           1002 0004 c008 0003, '',   1002 0006 8002 8008 7878",
        "ready by an unnamed message,     1002 0004 8008 0003, '',   1002 0006 8002 8008 7878",
        "numbers not negotiated,          1002 0004 3fff 3fff, '',   1002 0006 3fff 3fff 7878",
    })
    void aRequestIsAnsweredInKind(String what, String request, String privateData, String reply) throws Exception {
        try (RdmaListener listener = listen(accepting(2, 16));
                RawPeer peer = RawPeer.connectedTo(listener.localAddress())) {
            String expected = reply.replace(" ", "");
            peer.sendMpa("MPA ID Req Frame", request + privateData);
            assertThat(peer.receive(16)).isEqualTo(ascii("MPA ID Rep Frame"));
            assertThat(peer.receive(expected.length() / 2)).isEqualTo(expected);
            assertThat(handler.queuePair().remotePrivateData()).isEqualTo(RawPeer.hex(privateData));
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "a wrong key,               MPA ID Rep Frame, 5002 0004 0008 0002",
        "another protocol,          GET / HTTP/1.1 .., 0d0a 0000",
        "revision 3,                MPA ID Req Frame, 5003 0004 0008 0002",
        "revision 0,                MPA ID Req Frame, 4000 0000",
        "too much private data,     MPA ID Req Frame, 4001 0201",
        "no room for read limits,   MPA ID Req Frame, 5002 0002 0008",
    })
    void aBadRequestGetsNoAnswer(String what, String key, String rest) throws Exception {
        try (RdmaListener listener = listen(accepting(2, 16));
                RawPeer peer = RawPeer.connectedTo(listener.localAddress())) {
            peer.sendMpa(key.substring(0, 16), rest);
            peer.receiveEnd();
            assertThat(handler.hasEnded()).isFalse();
        }
    }

    @Test
    void anAddressIsFreeWhenItsListenerIsClosed() throws Exception {
        RdmaListener listener = listen(accepting(2, 16));
        for (int again = 0; again < 200; again++) {
            listener.close();
            listener = provider.listen(listener.localAddress(), accepting(2, 16));
        }
        listener.close();
    }

    @Test
    void aPeerThatSaysNothingIsDropped() throws Exception {
        try (RdmaListener listener = listen(accepting(2, 16));
                RawPeer peer = RawPeer.connectedTo(listener.localAddress())) {
            peer.send("MPA ID Req".getBytes(US_ASCII));
            peer.receiveEnd();
        }
    }

    @Test
    void peersOfOneAddressThatSayNothingLeaveSetUpsToOthers() throws Exception {
        List<RawPeer> silent = new ArrayList<>();
        try (IwarpProvider small = IwarpProvider.open(IwarpOptions.DEFAULTS.withHandshakes(8));
                RdmaListener listener = small.listen(ANY_PORT, accepting(2, 16))) {
            for (int i = 0; i < 7; i++) {
                silent.add(RawPeer.connectedTo(listener.localAddress(), "127.0.0.2"));
            }
            try (RawPeer oneTooMany = RawPeer.connectedTo(listener.localAddress(), "127.0.0.2")) {
                oneTooMany.receiveEnd();
            }
            try (RawPeer other = RawPeer.connectedTo(listener.localAddress())) {
                other.sendMpa("MPA ID Req Frame", "1002 0004 0008 0002");
                assertThat(other.receive(16)).isEqualTo(ascii("MPA ID Rep Frame"));
            }
        } finally {
            for (RawPeer peer : silent) {
                peer.close();
            }
        }
    }

    /** They would be outside of every limit until they have lingered. */
    @Test
    void rejectedPeersThatKeepTheirSocketsLeaveSetUpsToOthers() throws Exception {
        List<RawPeer> rejected = new ArrayList<>();
        try (IwarpProvider small = IwarpProvider.open(FEW_AND_LINGERING);
                RdmaListener listener = small.listen(ANY_PORT, request -> request.reject(new byte[0]))) {
            for (int i = 0; i < 7; i++) {
                RawPeer peer = RawPeer.connectedTo(listener.localAddress(), "127.0.0.2");
                rejected.add(peer);
                assertThat(replyTo(peer)).isEqualTo(ascii("MPA ID Rep Frame"));
            }
            try (RawPeer oneTooMany = RawPeer.connectedTo(listener.localAddress(), "127.0.0.2")) {
                assertThatThrownBy(() -> replyTo(oneTooMany)).isInstanceOf(IOException.class);
            }
            try (RawPeer other = RawPeer.connectedTo(listener.localAddress())) {
                assertThat(replyTo(other)).isEqualTo(ascii("MPA ID Rep Frame"));
            }
            for (RawPeer peer : rejected) {
                peer.close();
            }
            Awaitility.await().ignoreExceptions().until(() -> {
                try (RawPeer again = RawPeer.connectedTo(listener.localAddress(), "127.0.0.2")) {
                    return replyTo(again).equals(ascii("MPA ID Rep Frame"));
                }
            });
        } finally {
            for (RawPeer peer : rejected) {
                peer.close();
            }
        }
    }

    @Test
    void peersThatKeepTheSocketsOfConnectionsThatTheyBrokeLeaveSetUpsToOthers() throws Exception {
        List<RawPeer> broken = new ArrayList<>();
        try (IwarpProvider small = IwarpProvider.open(FEW_AND_LINGERING);
                RdmaListener listener = small.listen(ANY_PORT, accepting(2, 16))) {
            for (int i = 0; i < 7; i++) {
                RawPeer peer = RawPeer.connectedTo(listener.localAddress(), "127.0.0.2");
                broken.add(peer);
                peer.setUp();
                peer.receive(2); // the private data
                // An RDMA Write to memory that is not exposed.
                peer.sendFpdu("c140 00000001 0000000000000000 01");
                assertThat(peer.receiveTerminate()).isNotEmpty();
            }
            // Not at once, because a peer may see the Terminate before its socket lingers.
            Awaitility.await().until(() -> {
                RawPeer oneTooMany = RawPeer.connectedTo(listener.localAddress(), "127.0.0.2");
                broken.add(oneTooMany);
                try {
                    return replyTo(oneTooMany).isEmpty();
                } catch (IOException refused) {
                    return true;
                }
            });
        } finally {
            for (RawPeer peer : broken) {
                peer.close();
            }
        }
    }

    /** The beginning of the reply to an MPA request. */
    private static String replyTo(RawPeer peer) throws Exception {
        peer.sendMpa("MPA ID Req Frame", "1002 0004 0008 0002");
        return peer.receive(16);
    }

    /** Not at once, because the peer may see the end of its connection first. */
    @Test
    void aSetUpThatIsOverMakesRoomForTheNext() throws Exception {
        try (IwarpProvider small = IwarpProvider.open(IwarpOptions.DEFAULTS.withHandshakes(1));
                RdmaListener listener = small.listen(ANY_PORT, request -> request.reject(new byte[0]))) {
            for (int i = 0; i < 3; i++) {
                Awaitility.await()
                        .ignoreExceptionsInstanceOf(IOException.class)
                        .untilAsserted(() -> assertReply(listener));
            }
        }
    }

    private static void assertReply(RdmaListener listener) throws IOException {
        try (RawPeer peer = RawPeer.connectedTo(listener.localAddress())) {
            peer.sendMpa("MPA ID Req Frame", "1002 0004 0008 0002");
            assertThat(peer.receive(16)).isEqualTo(ascii("MPA ID Rep Frame"));
            peer.receive(8);
            peer.receiveEnd();
        }
    }

    @Test
    void markersAreRefused() throws Exception {
        try (RdmaListener listener = listen(accepting(2, 16));
                RawPeer peer = RawPeer.connectedTo(listener.localAddress())) {
            peer.sendMpa("MPA ID Req Frame", "8001 0000");
            peer.receive(16);
            assertThat(peer.receive(4)).isEqualTo("20010000");
            peer.receiveEnd();
        }
    }

    @Test
    void aRequestThatNobodyAnswersIsRejected() throws Exception {
        CompletableFuture<ConnectionAcceptor.Request> asked = new CompletableFuture<>();
        try (RdmaListener listener = listen(asked::complete);
                RawPeer peer = RawPeer.connectedTo(listener.localAddress())) {
            peer.sendMpa("MPA ID Req Frame", "4001 0000");
            peer.receive(16);
            assertThat(peer.receive(4)).isEqualTo("60010000");
            peer.receiveEnd();
            asked.get(20, TimeUnit.SECONDS).accept(parameters(new byte[0], 2, 16), handler);
            assertThat(handler.end()).map(RdmaException::reason).contains(Reason.TIMED_OUT);
        }
    }

    @Test
    void aResponderSaysNothingBeforeTheInitiatorsFirstFpdu() throws Exception {
        try (RdmaListener listener = listen(accepting(2, 16));
                RawPeer peer = RawPeer.connectedTo(listener.localAddress())) {
            peer.sendMpa("MPA ID Req Frame", "5002 0004 0008 0002");
            peer.receive(26);
            MemoryRegion region = provider.register(ByteBuffer.allocateDirect(3));
            region.buffer().put(RawPeer.hex("010203"));
            handler.queuePair().post(List.of(send(region, 3)));
            assertThat(peer.staysSilent()).isTrue();

            peer.sendFpdu("c140 00000000 0000000000000000");
            assertThat(HexFormat.of().formatHex(peer.receiveFpdu()))
                    .isEqualTo("4143" + "00000000" + "00000000" + "00000001" + "00000000" + "010203");
            assertThat(handler.next()).isEqualTo(Completion.success(5, Operation.SEND, 3));
        }
    }

    // ---- as initiator

    @ParameterizedTest
    @CsvSource({
        "2, 5002 0005 0008 0004 61, 5002 0006 0002 0008 6263, 2",
        "1, 4001 0001 61,           4001 0002 6263,           1",
    })
    void anInitiatorOffersItsReads(int revision, String request, String reply, int outboundReads) throws Exception {
        String expected = request.replace(" ", "");
        try (IwarpProvider connecting = IwarpProvider.open(IwarpOptions.DEFAULTS.withMpaRevision(revision));
                ServerSocket listening = RawPeer.listening()) {
            CompletableFuture<QueuePair> outcome = connect(connecting, listening, parameters(new byte[] {0x61}, 8, 4));
            try (RawPeer peer = RawPeer.acceptedBy(listening)) {
                assertThat(peer.receive(16)).isEqualTo(ascii("MPA ID Req Frame"));
                assertThat(peer.receive(expected.length() / 2)).isEqualTo(expected);
                peer.sendMpa("MPA ID Rep Frame", reply);
                QueuePair queuePair = outcome.get(20, TimeUnit.SECONDS);
                assertThat(queuePair.outboundReads()).isEqualTo(outboundReads);
                assertThat(queuePair.remotePrivateData()).asString(US_ASCII).isEqualTo("bc");
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "a rejection,                MPA ID Rep Frame, 7002 0006 0000 0000 6263, REJECTED, private data 6263",
        "a wrong key,                MPA ID Req Frame, 5002 0004 0008 0008,      PEER_VIOLATION, does not speak iWARP",
        "another revision,           MPA ID Rep Frame, 4001 0000,                PEER_VIOLATION, reply of revision 1",
        "no enhancement,             MPA ID Rep Frame, 4002 0000,                PEER_VIOLATION, without enhanced",
        "markers,                    MPA ID Rep Frame, d002 0004 0008 0008,      PEER_VIOLATION, markers",
        "too much private data,      MPA ID Rep Frame, 5002 0201,                PEER_VIOLATION, longer than 512",
        "silence,                    MPA ID Rep Frame, 5002,                     TIMED_OUT, no MPA reply in time",
    })
    void aReplyThatMakesNoConnection(String what, String key, String rest, Reason reason, String message)
            throws Exception {
        try (ServerSocket listening = RawPeer.listening()) {
            CompletableFuture<QueuePair> connecting = connect(listening, parameters(new byte[0], 8, 4));
            try (RawPeer peer = RawPeer.acceptedBy(listening)) {
                peer.sendMpa(key, rest);
                assertFails(connecting, reason, message);
            }
        }
    }

    @Test
    void aPeerThatClosesInsteadOfAnAnswer() throws Exception {
        try (ServerSocket listening = RawPeer.listening()) {
            CompletableFuture<QueuePair> connecting = connect(listening, parameters(new byte[0], 8, 4));
            RawPeer.acceptedBy(listening).close();
            assertFails(connecting, Reason.DISCONNECTED, "before it answered");
        }
    }

    @Test
    void privateDataThatDoesNotFitIsMisuse() {
        assertThatThrownBy(() -> provider.connect(ANY_PORT, parameters(new byte[509], 1, 1), handler))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("508");
    }

    @Test
    void theProviderIsFoundByItsName() {
        assertThat(RdmaProviderFactory.installed()).anySatisfy(factory -> {
            assertThat(factory.name()).isEqualTo("iwarp");
            assertThat(factory.unavailableReason()).isEmpty();
        });
    }

    private RdmaListener listen(ConnectionAcceptor acceptor) throws RdmaException {
        return provider.listen(ANY_PORT, acceptor);
    }

    private ConnectionAcceptor accepting(int inboundReads, int outboundReads) {
        return request -> request.accept(parameters(new byte[] {0x78, 0x78}, inboundReads, outboundReads), handler);
    }

    private CompletableFuture<QueuePair> connect(ServerSocket listening, ConnectionParameters parameters) {
        return connect(provider, listening, parameters);
    }

    private CompletableFuture<QueuePair> connect(
            IwarpProvider connecting, ServerSocket listening, ConnectionParameters parameters) {
        InetSocketAddress address = new InetSocketAddress(listening.getInetAddress(), listening.getLocalPort());
        return connecting.connect(address, parameters, handler).toCompletableFuture();
    }

    private static ConnectionParameters parameters(byte[] privateData, int inboundReads, int outboundReads) {
        return new ConnectionParameters(
                PrivateData.of(privateData), inboundReads, outboundReads, List.of(), Duration.ofSeconds(20));
    }

    private static WorkRequest send(MemoryRegion region, int length) {
        return new WorkRequest.Send(5, List.of(region.segment(0, length)), OptionalInt.empty());
    }

    private static void assertFails(CompletableFuture<QueuePair> connecting, Reason reason, String message) {
        assertThatThrownBy(() -> connecting.get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.reason()).isEqualTo(reason))
                .hasMessageContaining(message);
    }

    private static String ascii(String text) {
        return HexFormat.of().formatHex(text.getBytes(US_ASCII));
    }
}
