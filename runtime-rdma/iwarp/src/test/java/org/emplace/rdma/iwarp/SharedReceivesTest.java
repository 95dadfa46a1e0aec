// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.ConnectionParameters.PrivateData;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RdmaListener;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.Receives.SharedReceiveQueue;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Operation;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.emplace.rdma.contract.RecordingHandler;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The shared receive queue of software iWARP beyond the contract of all providers. */
final class SharedReceivesTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @AutoClose
    private final IwarpProvider provider =
            IwarpProvider.open(IwarpOptions.DEFAULTS.withReceiveTimeout(Duration.ofMillis(200)));

    private final MemoryRegion memory = provider.register(ByteBuffer.allocateDirect(1 << 20));
    private final RecordingHandler responder = new RecordingHandler();

    SharedReceivesTest() throws RdmaException {}

    @Test
    void aSendThatFindsNoReceiveForTooLongEndsItsConnection() throws Exception {
        try (RdmaListener listener = provider.listen(
                ANY_PORT,
                1,
                request ->
                        request.accept(parameters(request.sharedReceiveQueue().orElseThrow()), responder))) {
            RecordingHandler initiator = connect(listener);
            initiator.queuePair().post(List.of(send(16)));
            assertThat(responder.end()).hasValueSatisfying(cause -> {
                assertThat(cause.reason()).isEqualTo(Reason.NO_RESOURCES);
                assertThat(cause).hasMessageContaining("no Receive for a Send within PT0.2S");
            });
            assertThat(initiator.end())
                    .hasValueSatisfying(cause -> assertThat(cause.reason()).isEqualTo(Reason.TERMINATED_BY_PEER));
        }
    }

    @Test
    void aConnectionThatEndsInsideASendGivesItsReceiveBack() throws Exception {
        try (RdmaListener listener = provider.listen(ANY_PORT, 1, request -> {
            SharedReceiveQueue queue = request.sharedReceiveQueue().orElseThrow();
            queue.postReceive(new ReceiveRequest(5, memory.segment(0, 100)));
            request.accept(parameters(queue), responder);
        })) {
            try (RawPeer peer = RawPeer.establishedTo(listener.localAddress())) {
                peer.sendFpdu("0143 00000000 00000000 00000001 00000000 0102");
            }
            responder.end();
            assertThat(responder.rest())
                    .containsExactly(new Completion(5, Operation.RECEIVE, Status.FLUSHED, 0, OptionalInt.empty()));
        }
    }

    private RecordingHandler connect(RdmaListener listener) throws Exception {
        RecordingHandler initiator = new RecordingHandler();
        ConnectionParameters parameters =
                new ConnectionParameters(PrivateData.of(new byte[0]), 1, 1, List.of(), Duration.ofSeconds(20));
        provider.connect(listener.localAddress(), parameters, initiator);
        initiator.queuePair();
        return initiator;
    }

    private static ConnectionParameters parameters(SharedReceiveQueue queue) {
        return new ConnectionParameters(
                PrivateData.of(new byte[0]), 1, 1, queue, Duration.ofSeconds(20), Duration.ofSeconds(60));
    }

    private WorkRequest send(int length) {
        return new WorkRequest.Send(1, List.of(memory.segment(0, length)), OptionalInt.empty());
    }
}
