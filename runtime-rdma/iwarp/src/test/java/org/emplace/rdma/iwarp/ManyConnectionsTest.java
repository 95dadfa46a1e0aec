// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.ConnectionParameters.PrivateData;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.QueuePair.Handler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RdmaListener;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Operation;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.emplace.rdma.contract.RecordingHandler;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Many connections on few threads, of which none delays another. */
final class ManyConnectionsTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final Duration SHORT = Duration.ofMillis(300);

    @AutoClose
    private final IwarpProvider provider = IwarpProvider.open(
            IwarpOptions.DEFAULTS.withTimeouts(Duration.ofSeconds(20), Duration.ofSeconds(20), SHORT));

    private final MemoryRegion memory = provider.register(ByteBuffer.allocateDirect(1 << 20));
    private final Queue<RecordingHandler> responders = new ConcurrentLinkedQueue<>();

    ManyConnectionsTest() throws RdmaException {}

    @Test
    void aHundredConnectionsOfOneListenerEchoAtOnce() throws Exception {
        List<RecordingHandler> initiators = new ArrayList<>();
        try (RdmaListener listener = provider.listen(ANY_PORT, request -> request.accept(parameters(1), new Echo()))) {
            for (int i = 0; i < 100; i++) {
                RecordingHandler handler = new RecordingHandler();
                initiators.add(handler);
                provider.connect(listener.localAddress(), parameters(1), handler);
            }
            for (RecordingHandler handler : initiators) {
                handler.queuePair().post(List.of(send(7)));
            }
            for (RecordingHandler handler : initiators) {
                assertThat(List.of(handler.next(), handler.next()))
                        .extracting(Completion::operation)
                        .containsExactlyInAnyOrder(Operation.SEND, Operation.RECEIVE);
            }
        }
    }

    @Test
    void peersThatStallHoldUpNobody() throws Exception {
        try (RdmaListener listener = listen();
                RawPeer mute = RawPeer.connectedTo(listener.localAddress());
                RawPeer halfway = RawPeer.establishedTo(listener.localAddress());
                RawPeer greedy = RawPeer.establishedTo(listener.localAddress())) {
            mute.send(new byte[] {'M'});
            halfway.send(RawPeer.hex("ffff 4143 00000000 00000000 00000001 00000000 0102"));
            greedy.sendFpdu("c140 00000000 0000000000000000");
            Awaitility.await().until(() -> responders.size() == 2);
            MemoryRegion large = provider.register(ByteBuffer.allocateDirect(16 << 20));
            for (RecordingHandler handler : responders) {
                handler.queuePair()
                        .post(List.of(
                                new WorkRequest.Send(1, List.of(large.segment(0, 16 << 20)), OptionalInt.empty())));
            }

            RecordingHandler handler = new RecordingHandler();
            provider.connect(listener.localAddress(), parameters(1), handler);
            handler.queuePair().post(List.of(send(7)));
            assertThat(handler.next()).isEqualTo(Completion.success(7, Operation.SEND, 16));
        }
    }

    @Test
    void closingTheProviderCutsOffAPeerThatTakesNothing() throws Exception {
        try (RdmaListener listener = listen();
                RawPeer greedy = RawPeer.establishedTo(listener.localAddress())) {
            greedy.sendFpdu("c140 00000000 0000000000000000");
            Awaitility.await().until(() -> responders.size() == 1);
            RecordingHandler handler = responders.element();
            MemoryRegion large = provider.register(ByteBuffer.allocateDirect(16 << 20));
            handler.queuePair()
                    .post(List.of(new WorkRequest.Send(1, List.of(large.segment(0, 16 << 20)), OptionalInt.empty())));
            provider.close();
            assertThat(handler.end()).isEmpty();
            assertThat(handler.rest()).extracting(Completion::status).containsExactly(Status.FLUSHED, Status.FLUSHED);
        }
    }

    @Test
    void connectingIsBoundedByItsTimeout() throws Exception {
        try (ServerSocket silent = RawPeer.listening()) {
            InetSocketAddress address = new InetSocketAddress(silent.getInetAddress(), silent.getLocalPort());
            ConnectionParameters impatient =
                    new ConnectionParameters(PrivateData.of(new byte[0]), 1, 1, List.of(), SHORT);
            assertThat(provider.connect(address, impatient, new RecordingHandler())
                            .toCompletableFuture())
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOfSatisfying(
                            RdmaException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TIMED_OUT));
        }
    }

    /** Answers each Send with a Send. */
    private final class Echo implements Handler {
        private @Nullable QueuePair queuePair;

        @Override
        public void established(QueuePair established) {
            queuePair = established;
        }

        @Override
        public void completed(List<Completion> completions) {
            for (Completion completion : completions) {
                if (completion.operation() == Operation.RECEIVE
                        && completion.status() == Status.SUCCESS
                        && queuePair != null) {
                    queuePair.post(List.of(send(completion.id())));
                }
            }
        }

        @Override
        public void disconnected(@Nullable RdmaException cause) {}
    }

    private RdmaListener listen() throws RdmaException {
        return provider.listen(ANY_PORT, request -> {
            RecordingHandler handler = new RecordingHandler();
            responders.add(handler);
            request.accept(parameters(1), handler);
        });
    }

    private ConnectionParameters parameters(int receives) {
        List<ReceiveRequest> requests = new ArrayList<>();
        for (int i = 0; i < receives; i++) {
            requests.add(new ReceiveRequest(i, memory.segment(0, 1 << 20)));
        }
        return new ConnectionParameters(PrivateData.of(new byte[0]), 1, 1, requests, Duration.ofSeconds(20));
    }

    private WorkRequest send(int id) {
        return new WorkRequest.Send(id, List.of(memory.segment(0, 16)), OptionalInt.empty());
    }
}
