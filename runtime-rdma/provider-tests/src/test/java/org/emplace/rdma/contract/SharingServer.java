// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.ConnectionParameters.PrivateData;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.RdmaListener;
import org.emplace.rdma.RdmaListener.ConnectionAcceptor.Request;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.Receives;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.Receives.SharedReceiveQueue;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Operation;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.jspecify.annotations.Nullable;

/** A listener whose connections use its shared receive queue, and the initiators that connect to it. */
final class SharingServer implements AutoCloseable {
    static final int RECEIVES = 8;
    static final int RECEIVE_SIZE = 100_000;

    final RdmaProvider provider = ProviderUnderTest.CHOSEN.open();
    final RdmaListener listener;
    final MemoryRegion memory;
    private final RdmaProvider initiators = ProviderUnderTest.CHOSEN.open();
    private final LinkedBlockingQueue<RecordingHandler> responders = new LinkedBlockingQueue<>();
    private final CompletableFuture<SharedReceiveQueue> queue = new CompletableFuture<>();
    private final CompletableFuture<Throwable> refusal = new CompletableFuture<>();
    private final Supplier<RecordingHandler> responding;
    private final List<Connection> connections = new ArrayList<>();
    private volatile @Nullable SharedReceiveQueue offered;

    SharingServer() throws Exception {
        this(RecordingHandler::new);
    }

    /** @param responding makes the responders' handlers */
    SharingServer(Supplier<RecordingHandler> responding) throws Exception {
        this.responding = responding;
        memory = provider.register(ByteBuffer.allocateDirect(RECEIVES * RECEIVE_SIZE));
        listener = provider.listen(ProviderUnderTest.CHOSEN.anyPort(), RECEIVES, this::answer);
    }

    /** The two ends of a connection. */
    record Connection(RecordingHandler initiator, RecordingHandler responder, RdmaProvider sender) {

        /** Sends random bytes, and returns them. */
        MemoryRegion send(int length) throws Exception {
            byte[] noise = new byte[length];
            new Random(length).nextBytes(noise);
            MemoryRegion source =
                    sender.register(ByteBuffer.allocateDirect(length).put(noise).flip());
            initiator.queuePair().post(List.of(Side.send(1, source)));
            return source;
        }

        /** Returns the next completion of a Receive, which must be successful. */
        Completion received() throws Exception {
            Completion received = responder.next();
            assertThat(received.operation()).isEqualTo(Operation.RECEIVE);
            assertThat(received.status()).isEqualTo(Status.SUCCESS);
            return received;
        }
    }

    private void answer(Request request) {
        SharedReceiveQueue shared = request.sharedReceiveQueue().orElseThrow();
        queue.complete(shared);
        RecordingHandler handler = responding.get();
        try {
            request.accept(parameters(offered == null ? shared : offered), handler);
        } catch (IllegalArgumentException refused) {
            refusal.complete(refused);
            request.reject(new byte[0]);
            return;
        }
        responders.add(handler);
    }

    /** Makes later connections use another queue. */
    void offering(SharedReceiveQueue other) {
        offered = other;
    }

    /** The exception that the provider has thrown because of it. */
    Throwable refusal() throws Exception {
        return refusal.get(RecordingHandler.TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    /** The queue; known after the first connection. */
    SharedReceiveQueue queue() throws Exception {
        return queue.get(RecordingHandler.TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    /** Makes another connection. */
    Connection connect() throws Exception {
        RecordingHandler initiator = connectWith(new Receives.Own(List.of()));
        RecordingHandler responder = responders.poll(RecordingHandler.TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (responder == null) {
            throw new AssertionError("connected, but not accepted");
        }
        responder.queuePair();
        Connection connection = new Connection(initiator, responder, initiators);
        connections.add(connection);
        return connection;
    }

    /** Connects as the initiator. */
    RecordingHandler connectWith(Receives receives) throws Exception {
        RecordingHandler initiator = new RecordingHandler();
        initiators
                .connect(listener.localAddress(), parameters(receives), initiator)
                .toCompletableFuture()
                .get(RecordingHandler.TIMEOUT_SECONDS, TimeUnit.SECONDS);
        return initiator;
    }

    private static ConnectionParameters parameters(Receives receives) {
        return new ConnectionParameters(
                PrivateData.of(new byte[0]),
                1,
                1,
                receives,
                Duration.ofSeconds(RecordingHandler.TIMEOUT_SECONDS),
                Duration.ofSeconds(60));
    }

    /** Posts Receives. */
    void post(int... ids) throws Exception {
        for (int id : ids) {
            queue().postReceive(receive(id));
        }
    }

    ReceiveRequest receive(int id) {
        return new ReceiveRequest(id, memory.segment(id * RECEIVE_SIZE, RECEIVE_SIZE));
    }

    /** The bytes received by a Receive. */
    ByteBuffer received(Completion receive) {
        return memory.buffer().slice(receive.id() * RECEIVE_SIZE, receive.length());
    }

    long bytesHeld() {
        return provider.statistics().bytesHeld();
    }

    /** Closes all connections, and waits until they have ended. */
    void closeConnections() throws Exception {
        for (Connection connection : connections) {
            connection.initiator().queuePair().close();
            connection.responder().end();
        }
    }

    @Override
    public void close() {
        initiators.close();
        provider.close();
    }
}
