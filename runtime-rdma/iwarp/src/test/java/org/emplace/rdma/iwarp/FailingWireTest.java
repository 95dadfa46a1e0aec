// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.ConnectionParameters.PrivateData;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RdmaListener;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.Receives.SharedReceiveQueue;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.contract.RecordingHandler;
import org.emplace.rdma.iwarp.framing.Wire;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An exception or error while a connection is served ends that connection, and is reported. */
@Timeout(60)
final class FailingWireTest {
    private static final Duration HELD = Duration.ofSeconds(1);

    private final CompletableFuture<SharedReceiveQueue> shared = new CompletableFuture<>();
    private final RecordingHandler handler = new RecordingHandler();

    @AutoClose
    private final IwarpProvider provider =
            IwarpProvider.open(IwarpOptions.DEFAULTS.withReceiveTimeout(HELD), this::failing);

    private final MemoryRegion memory = provider.register(ByteBuffer.allocateDirect(64));
    private volatile boolean readsFail;
    private volatile boolean writesFail;

    FailingWireTest() throws Exception {}

    @Test
    void whatIsPosted() throws Exception {
        try (RawPeer peer = established()) {
            assertThat(peer.staysSilent()).isTrue();
            writesFail = true;
            handler.queuePair()
                    .post(List.of(new WorkRequest.Send(1, List.of(memory.segment(0, 4)), OptionalInt.empty())));
            assertEndedByFailure();
        }
    }

    @Test
    void aReceiveThatIsHandedOver() throws Exception {
        try (RawPeer peer = established()) {
            peer.sendFpdu("4143 00000000 00000000 00000001 00000000 0a");
            assertThat(peer.staysSilent()).isTrue();
            readsFail = true;
            shared.get(20, TimeUnit.SECONDS).postReceive(new ReceiveRequest(7, memory.segment(0, 16)));
            assertEndedByFailure();
        }
    }

    @Test
    void aTimer() throws Exception {
        try (RawPeer peer = established()) {
            peer.sendFpdu("4143 00000000 00000000 00000001 00000000 0a");
            writesFail = true;
            assertEndedByFailure();
        }
    }

    private void assertEndedByFailure() throws Exception {
        assertThat(handler.end()).hasValueSatisfying(cause -> {
            assertThat(cause.reason()).isEqualTo(Reason.DISCONNECTED);
            assertThat(cause).hasMessageContaining("serving the connection failed");
        });
    }

    /** The peer of a connection that uses an empty shared receive queue. */
    private RawPeer established() throws Exception {
        try (RdmaListener listener =
                provider.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1, request -> {
                    SharedReceiveQueue queue = request.sharedReceiveQueue().orElseThrow();
                    shared.complete(queue);
                    request.accept(
                            new ConnectionParameters(
                                    PrivateData.of(new byte[0]),
                                    1,
                                    1,
                                    queue,
                                    Duration.ofSeconds(20),
                                    Duration.ofSeconds(60)),
                            handler);
                })) {
            RawPeer peer = RawPeer.establishedTo(listener.localAddress());
            // A responder may not send before it has received, so the peer sends a Write of length zero.
            peer.sendFpdu("c140 00000001 0000000000000000");
            handler.queuePair();
            return peer;
        }
    }

    private Wire failing(Wire wire) {
        return new Wire() {
            @Override
            public long read(ByteBuffer[] targets, int count) throws IOException {
                if (readsFail) {
                    // Only once: at the next read the connection must have ended.
                    readsFail = false;
                    throw new OutOfMemoryError("as the test wants it");
                }
                return wire.read(targets, count);
            }

            @Override
            public long write(ByteBuffer[] sources, int offset, int count) throws IOException {
                if (writesFail) {
                    throw new OutOfMemoryError("as the test wants it");
                }
                return wire.write(sources, offset, count);
            }
        };
    }
}
