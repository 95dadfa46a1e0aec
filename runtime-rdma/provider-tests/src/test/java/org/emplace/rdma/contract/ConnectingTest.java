// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.ConnectionParameters.PrivateData;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RdmaListener;
import org.emplace.rdma.RdmaListener.ConnectionAcceptor;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.Receives.SharedReceiveQueue;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Operation;
import org.emplace.rdma.contract.ProviderUnderTest.Limit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How connections are set up, and what the consumer learns if that fails. */
final class ConnectingTest {
    private static final InetSocketAddress ANY_PORT = ProviderUnderTest.CHOSEN.anyPort();

    @AutoClose
    private final RdmaProvider provider = ProviderUnderTest.CHOSEN.open();

    private final RecordingHandler initiator = new RecordingHandler();
    private final RecordingHandler responder = new RecordingHandler();

    ConnectingTest() throws RdmaException {}

    @Test
    void eachSideLearnsThePeersAddressAndPrivateData() throws Exception {
        CompletableFuture<ConnectionAcceptor.Request> asked = new CompletableFuture<>();
        try (RdmaListener listener = provider.listen(ANY_PORT, request -> {
            asked.complete(request);
            request.accept(offering("pong", 4, 4), responder);
        })) {
            connect(listener.localAddress(), offering("ping", 4, 4)).get();

            ConnectionAcceptor.Request request = asked.get();
            assertThat(request.remoteAddress()).isEqualTo(initiator.queuePair().localAddress());
            // A device may pad shorter private data with zeros.
            assertThat(new String(request.privateData(), US_ASCII)).startsWith("ping");
            assertThat(new String(responder.queuePair().remotePrivateData(), US_ASCII))
                    .startsWith("ping");
            assertThat(new String(initiator.queuePair().remotePrivateData(), US_ASCII))
                    .startsWith("pong");
            assertThat(initiator.queuePair().remoteAddress()).isEqualTo(listener.localAddress());
            assertThat(responder.queuePair().remoteAddress())
                    .isEqualTo(initiator.queuePair().localAddress());
            assertThat(responder.queuePair().localAddress()).isEqualTo(listener.localAddress());
        }
    }

    @Test
    void theSmallerOfBothOffersLimitsTheReadsOfEachSide() throws Exception {
        CompletableFuture<Integer> offered = new CompletableFuture<>();
        try (RdmaListener listener = provider.listen(ANY_PORT, request -> {
            offered.complete(request.initiatorInboundReads());
            request.accept(offering("", 2, 16), responder);
        })) {
            connect(listener.localAddress(), offering("", 4, 8)).get();
            assertThat(offered.get()).isEqualTo(4);
            int answered = ProviderUnderTest.CHOSEN.has(Limit.READ_LIMIT_IS_RAISED) ? 8 : 2;
            assertThat(initiator.queuePair().outboundReads()).isEqualTo(answered);
            assertThat(responder.queuePair().outboundReads()).isEqualTo(4);
        }
    }

    @Test
    void privateDataIsAskedForWithWhatTheDeviceCanDo() throws Exception {
        CompletableFuture<Boolean> told = new CompletableFuture<>();
        PrivateData offer = reportsRemoteInvalidation -> {
            told.complete(reportsRemoteInvalidation);
            return new byte[8];
        };
        ConnectionParameters parameters = new ConnectionParameters(offer, 1, 1, List.of(), Duration.ofSeconds(20));
        try (RdmaListener listener =
                provider.listen(ANY_PORT, request -> request.accept(offering("", 1, 1), responder))) {
            connect(listener.localAddress(), parameters).get(RecordingHandler.TIMEOUT_SECONDS, TimeUnit.SECONDS);
            assertThat(told.get()).isEqualTo(initiator.queuePair().reportsRemoteInvalidation());
        }
    }

    @Test
    void bothSidesMaySendAsSoonAsTheyAreConnected() throws Exception {
        Side speaking = new Side(provider, new RecordingHandler() {
            @Override
            void onEstablished(QueuePair established) {
                established.post(List.of(emptySend(1)));
            }
        });
        Side answering = new Side(provider, new RecordingHandler() {
            @Override
            void onEstablished(QueuePair established) {
                established.post(List.of(emptySend(2)));
            }
        });
        try (RdmaListener listener =
                provider.listen(ANY_PORT, request -> request.accept(answering.parameters("pong"), answering.handler))) {
            provider.connect(listener.localAddress(), speaking.parameters("ping"), speaking.handler)
                    .toCompletableFuture()
                    .get(RecordingHandler.TIMEOUT_SECONDS, TimeUnit.SECONDS);
            assertThat(speaking.handler.next(2))
                    .containsExactlyInAnyOrder(
                            Completion.success(0, Operation.RECEIVE, 0), Completion.success(1, Operation.SEND, 0));
            assertThat(answering.handler.next(2))
                    .containsExactlyInAnyOrder(
                            Completion.success(0, Operation.RECEIVE, 0), Completion.success(2, Operation.SEND, 0));
        }
    }

    @Test
    void aRequestMayBeAnsweredLaterByAnotherThread() throws Exception {
        CompletableFuture<ConnectionAcceptor.Request> asked = new CompletableFuture<>();
        try (RdmaListener listener = provider.listen(ANY_PORT, asked::complete)) {
            CompletableFuture<QueuePair> connecting = connect(listener.localAddress(), offering("", 1, 1));
            asked.get(RecordingHandler.TIMEOUT_SECONDS, TimeUnit.SECONDS).accept(offering("", 1, 1), responder);
            assertThat(connecting.get(RecordingHandler.TIMEOUT_SECONDS, TimeUnit.SECONDS))
                    .isSameAs(initiator.queuePair());
        }
    }

    @Test
    void aRejectionIsReportedWithItsPrivateData() throws Exception {
        try (RdmaListener listener = provider.listen(ANY_PORT, request -> request.reject("no!".getBytes(US_ASCII)))) {
            assertFails(connect(listener.localAddress(), offering("", 1, 1)), "6e6f21", Reason.REJECTED);
        }
    }

    @Test
    void aSharedReceiveQueueIsOfferedIfRequestedAndSupported() throws Exception {
        for (int wanted : new int[] {0, 8}) {
            CompletableFuture<Optional<SharedReceiveQueue>> offered = new CompletableFuture<>();
            try (RdmaListener listener = provider.listen(ANY_PORT, wanted, request -> {
                offered.complete(request.sharedReceiveQueue());
                request.reject(new byte[0]);
            })) {
                provider.connect(listener.localAddress(), offering("", 1, 1), new RecordingHandler());
                boolean expected = wanted > 0 && !ProviderUnderTest.CHOSEN.has(Limit.NO_SHARED_RECEIVE_QUEUE);
                assertThat(offered.get(RecordingHandler.TIMEOUT_SECONDS, TimeUnit.SECONDS))
                        .matches(queue -> queue.isPresent() == expected);
            }
        }
    }

    @Test
    void aRequestIsAnsweredOnce() throws Exception {
        CompletableFuture<Throwable> second = new CompletableFuture<>();
        try (RdmaListener listener = provider.listen(ANY_PORT, request -> {
            request.reject(new byte[0]);
            try {
                request.accept(offering("", 1, 1), responder);
            } catch (IllegalStateException e) {
                second.complete(e);
            }
        })) {
            assertFails(connect(listener.localAddress(), offering("", 1, 1)), "", Reason.REJECTED);
            assertThat(second.get(RecordingHandler.TIMEOUT_SECONDS, TimeUnit.SECONDS))
                    .hasMessageContaining("answered");
        }
    }

    @Test
    void anUnansweredRequestEndsAfterTheInitiatorsTimeout() throws Exception {
        CompletableFuture<ConnectionAcceptor.Request> asked = new CompletableFuture<>();
        try (RdmaListener listener = provider.listen(ANY_PORT, asked::complete)) {
            ConnectionParameters impatient =
                    new ConnectionParameters(PrivateData.of(new byte[0]), 1, 1, List.of(), Duration.ofSeconds(1));
            assertFails(connect(listener.localAddress(), impatient), "", Reason.TIMED_OUT);

            asked.get().accept(offering("", 1, 1), responder);
            responder.end();
        }
    }

    @Test
    void aPortWithoutAListenerRefusesTheConnection() throws Exception {
        RdmaListener listener = provider.listen(ANY_PORT, request -> request.accept(offering("", 1, 1), responder));
        listener.close();
        assertFails(connect(listener.localAddress(), offering("", 1, 1)), "", Reason.REFUSED);
    }

    /** Does not run on loopback, where every address answers. */
    @Test
    @Tag("lab")
    void connectingToAnAddressThatDoesNotAnswerEndsInBoundedTime() {
        InetSocketAddress nobody =
                new InetSocketAddress(ProviderUnderTest.CHOSEN.nobody().orElseThrow(), 20049);
        ConnectionParameters impatient =
                new ConnectionParameters(PrivateData.of(new byte[0]), 1, 1, List.of(), Duration.ofSeconds(5));
        assertFails(connect(nobody, impatient), "", Reason.UNREACHABLE, Reason.TIMED_OUT);
    }

    @Test
    void anAddressInUseIsUnavailable() throws Exception {
        try (RdmaListener listener = provider.listen(ANY_PORT, request -> request.reject(new byte[0]))) {
            assertUnavailable(listener.localAddress());
        }
    }

    @Test
    void anAddressOfAnotherMachineIsUnavailable() {
        assertUnavailable(new InetSocketAddress("192.0.2.1", 20049));
    }

    private void assertUnavailable(InetSocketAddress address) {
        assertThatThrownBy(() -> provider.listen(address, request -> request.reject(new byte[0])))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.reason()).isEqualTo(Reason.ADDRESS_UNAVAILABLE));
    }

    @Test
    void aListenerThatClosesLeavesItsConnectionsAlone() throws Exception {
        try (Pair pair = Pair.connected()) {
            // Its listener is closed by now.
            pair.greet();
        }
    }

    @Test
    void anAcceptorThatThrowsAffectsNoOtherConnection() throws Exception {
        RdmaListener broken = provider.listen(ANY_PORT, request -> {
            throw new IllegalStateException("thrown by the test");
        });
        RdmaListener sound = provider.listen(ANY_PORT, request -> request.accept(offering("", 1, 1), responder));
        try (broken;
                sound) {
            assertThat(provider.connect(broken.localAddress(), offering("", 1, 1), new RecordingHandler())
                            .toCompletableFuture())
                    .failsWithin(Duration.ofSeconds(RecordingHandler.TIMEOUT_SECONDS))
                    .withThrowableThat()
                    .withCauseInstanceOf(RdmaException.class);
            connect(sound.localAddress(), offering("", 1, 1)).get(RecordingHandler.TIMEOUT_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** The exception is thrown or, if the device must be known first, is the outcome. */
    @Test
    void privateDataThatIsTooLongIsRejected() throws Exception {
        ConnectionParameters tooMuch =
                new ConnectionParameters(PrivateData.of(new byte[600]), 1, 1, List.of(), Duration.ofSeconds(20));
        try (RdmaListener listener = provider.listen(ANY_PORT, request -> request.reject(new byte[0]))) {
            assertThatThrownBy(() -> provider.connect(listener.localAddress(), tooMuch, initiator)
                            .toCompletableFuture()
                            .join())
                    .satisfiesAnyOf(
                            thrown -> assertThat(thrown).isInstanceOf(IllegalArgumentException.class),
                            outcome -> assertThat(outcome).hasCauseInstanceOf(IllegalArgumentException.class))
                    .hasMessageContaining("private data");
        }
    }

    @Test
    void aNegativeNumberOfReadsIsRejected() {
        assertThatThrownBy(() -> offering("", -1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> offering("", 1, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void memoryOfAnotherProviderIsRejected() throws Exception {
        try (Pair pair = Pair.connected();
                MemoryRegion foreign = new ForeignRegion()) {
            assertThatThrownBy(() -> pair.initiator.post(Side.send(1, foreign)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another provider");
            pair.greet();
        }
    }

    @Test
    void aClosedProviderRejectsFurtherUse() {
        provider.close();
        provider.close();
        assertFails(connect(ANY_PORT, offering("", 1, 1)), "closed", Reason.DISCONNECTED);
        assertThatThrownBy(() -> provider.listen(ANY_PORT, request -> request.reject(new byte[0])))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.reason()).isEqualTo(Reason.DISCONNECTED));
    }

    private CompletableFuture<QueuePair> connect(InetSocketAddress address, ConnectionParameters parameters) {
        return provider.connect(address, parameters, initiator).toCompletableFuture();
    }

    private static ConnectionParameters offering(String privateData, int inboundReads, int outboundReads) {
        return new ConnectionParameters(
                PrivateData.of(privateData.getBytes(US_ASCII)),
                inboundReads,
                outboundReads,
                List.of(),
                Duration.ofSeconds(RecordingHandler.TIMEOUT_SECONDS));
    }

    private static WorkRequest emptySend(int id) {
        return new WorkRequest.Send(id, List.of(), OptionalInt.empty());
    }

    private void assertFails(CompletableFuture<QueuePair> connecting, String message, Reason... reasons) {
        assertThatThrownBy(() -> connecting.get(RecordingHandler.TIMEOUT_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.reason()).isIn((Object[]) reasons))
                .hasMessageContaining(message);
        assertThat(initiator.isEstablished()).isFalse();
    }
}
