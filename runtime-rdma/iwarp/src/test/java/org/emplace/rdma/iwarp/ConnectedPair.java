// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.PrivateData;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaListener;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.ReceiveRequest;

/** Two queue pairs of two providers, connected over loopback; each has {@link #RECEIVES} Receives posted, with ids from 0. */
final class ConnectedPair implements AutoCloseable {
    static final int RECEIVES = 8;
    static final int RECEIVE_SIZE = 200_000;
    static final int READS = 4;

    final RdmaProvider initiator;
    final RdmaProvider responder;
    final RecordingHandler initiatorHandler = new RecordingHandler();
    final RecordingHandler responderHandler = new RecordingHandler();
    final MemoryRegion initiatorReceives;
    final MemoryRegion responderReceives;
    final QueuePair initiatorPair;
    final QueuePair responderPair;

    ConnectedPair(RdmaProvider initiator, RdmaProvider responder) throws Exception {
        this.initiator = initiator;
        this.responder = responder;
        initiatorReceives = region(initiator, RECEIVES * RECEIVE_SIZE);
        responderReceives = region(responder, RECEIVES * RECEIVE_SIZE);
        try (RdmaListener listener = responder.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                request -> request.accept(parameters("pong", responderReceives), responderHandler))) {
            initiatorPair = initiator
                    .connect(listener.localAddress(), parameters("ping", initiatorReceives), initiatorHandler)
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS);
            responderPair = responderHandler.queuePair();
        }
    }

    static ConnectedPair with(IwarpOptions options) throws Exception {
        return new ConnectedPair(IwarpProvider.open(options), IwarpProvider.open(options));
    }

    static MemoryRegion region(RdmaProvider provider, int length) throws Exception {
        return provider.register(ByteBuffer.allocateDirect(length));
    }

    private static ConnectionParameters parameters(String privateData, MemoryRegion receives) {
        List<ReceiveRequest> requests = IntStream.range(0, RECEIVES)
                .mapToObj(i -> new ReceiveRequest(i, receives.segment(i * RECEIVE_SIZE, RECEIVE_SIZE)))
                .toList();
        return new ConnectionParameters(
                PrivateData.of(privateData.getBytes(US_ASCII)), READS, READS, requests, Duration.ofSeconds(20));
    }

    /** The bytes of a Receive's sink. */
    static ByteBuffer received(MemoryRegion receives, long id, int length) {
        return receives.buffer().slice((int) id * RECEIVE_SIZE, length);
    }

    @Override
    public void close() {
        initiator.close();
        responder.close();
    }
}
