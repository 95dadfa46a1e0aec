// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.ConnectionParameters.PrivateData;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.QueuePair.Handler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaListener;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RdmaProviderFactory;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.jspecify.annotations.Nullable;

/**
 * A peer that implements RDMA but not RPC-over-RDMA: it sends and receives handwritten messages. It uses {@link #HOST}
 * and software iWARP or, in the lab, the provider that the system property {@code contract.provider} names.
 */
public final class RawPeer implements AutoCloseable, Handler {
    /** The address of both ends: loopback, or that of the lab's device, {@code contract.address}. */
    public static final String HOST = System.getProperty("contract.address", "127.0.0.1");

    /** The name of the provider. */
    static final String PROVIDER = System.getProperty("contract.provider", "iwarp");

    private static final int RECEIVES = 64;
    private static final int RECEIVE_SIZE = 8192;
    private static final int TIMEOUT_SECONDS = 20;

    private final RdmaProvider provider;
    private final MemoryRegion receives;
    private final byte[] privateData;
    private final CompletableFuture<QueuePair> queuePair = new CompletableFuture<>();
    private final BlockingQueue<ByteBuffer> messages = new LinkedBlockingQueue<>();
    private final BlockingQueue<OptionalInt> invalidations = new LinkedBlockingQueue<>();
    private final BlockingQueue<Completion> work = new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    /** @param privateData see {@link ConnectionPrivateData}; empty for none */
    public RawPeer(byte[] privateData) throws RdmaException {
        this.provider = openProvider();
        this.receives = provider.register(ByteBuffer.allocateDirect(RECEIVES * RECEIVE_SIZE));
        this.privateData = privateData.clone();
    }

    /** Opens the provider. */
    static RdmaProvider openProvider() throws RdmaException {
        return RdmaProviderFactory.installed().stream()
                .filter(factory -> factory.name().equals(PROVIDER))
                .findAny()
                .orElseThrow(() -> new IllegalStateException("no RDMA provider " + PROVIDER + " on the class path"))
                .open(1);
    }

    /** Linux's default without the flag: 4096 bytes in each direction. */
    static byte[] privateData(boolean remoteInvalidation) {
        return new byte[] {(byte) 0xf6, (byte) 0xab, 0x0e, 0x18, 1, (byte) (remoteInvalidation ? 1 : 0), 3, 3};
    }

    /** A requester that is connected to a server. */
    public static RawPeer connectedTo(URI server, byte[] privateData) throws Exception {
        RawPeer peer = new RawPeer(privateData);
        InetSocketAddress remote = new InetSocketAddress(server.getHost(), server.getPort());
        peer.provider
                .connect(remote, peer.parameters(), peer)
                .toCompletableFuture()
                .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        return peer;
    }

    /** Accepts connections as a responder. Only one is expected. */
    public URI listen() throws RdmaException {
        RdmaListener listener =
                provider.listen(new InetSocketAddress(HOST, 0), request -> request.accept(parameters(), this));
        return URI.create("rdma://" + HOST + ":" + listener.localAddress().getPort());
    }

    private ConnectionParameters parameters() {
        List<ReceiveRequest> requests = IntStream.range(0, RECEIVES)
                .mapToObj(i -> new ReceiveRequest(i, receives.segment(i * RECEIVE_SIZE, RECEIVE_SIZE)))
                .toList();
        return new ConnectionParameters(
                PrivateData.of(privateData), 16, 16, requests, Duration.ofSeconds(TIMEOUT_SECONDS));
    }

    @Override
    public void established(QueuePair established) {
        queuePair.complete(established);
    }

    @Override
    public void completed(List<Completion> completions) {
        for (Completion completion : completions) {
            if (completion.operation() != Completion.Operation.RECEIVE) {
                work.add(completion);
            } else if (completion.status() == Completion.Status.SUCCESS) {
                ByteBuffer message = receives.buffer().slice(completion.id() * RECEIVE_SIZE, completion.length());
                messages.add(
                        ByteBuffer.allocate(message.remaining()).put(message).flip());
                invalidations.add(completion.invalidatedStag());
            }
        }
    }

    @Override
    public void disconnected(@Nullable RdmaException cause) {
        end.complete(null);
    }

    QueuePair queuePair() throws Exception {
        return queuePair.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    public void send(Words message) throws Exception {
        post(message);
        take(work);
    }

    /**
     * Sends a message, and then a call of procedure 0.
     *
     * @return true if that is answered; false if the connection is over
     */
    boolean takesItAndLives(int[] message) throws Exception {
        int xid = 0x0effffff;
        post(new Words().and(message));
        post(Words.withoutChunks(xid, 8).call(xid, 0));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (!end.isDone()) {
            ByteBuffer next = messages.poll(10, TimeUnit.MILLISECONDS);
            if (next != null && next.getInt(0) == xid) {
                return true;
            }
            if (System.nanoTime() > deadline) {
                throw new AssertionError("neither an answer nor an end after " + Arrays.toString(message));
            }
        }
        return false;
    }

    /** Sends messages together, so that they arrive together. */
    void sendTogether(List<Words> messages) throws Exception {
        List<WorkRequest> sends = new ArrayList<>();
        for (Words message : messages) {
            sends.add(sendOf(message));
        }
        queuePair().post(sends);
        for (int i = 0; i < messages.size(); i++) {
            take(work);
        }
    }

    private void post(Words message) throws Exception {
        queuePair().post(List.of(sendOf(message)));
    }

    WorkRequest sendOf(Words message) throws Exception {
        MemoryRegion region = provider.register(message.bytes());
        return new WorkRequest.Send(0, List.of(region.segment(0, region.length())), OptionalInt.empty());
    }

    /** The words of the next message. */
    public int[] receive() throws Exception {
        return Words.of(take(messages));
    }

    /** Checks that the next message has these words. */
    void assertReceives(Words message) throws Exception {
        assertThat(receive()).containsExactly(Words.of(message.bytes()));
    }

    /** Whether a message has arrived. */
    boolean hasReceived() {
        return !messages.isEmpty();
    }

    /** Waits until no message has been arriving for a while. */
    void awaitSilence() {
        Awaitility.await()
                .during(Duration.ofMillis(200))
                .atMost(Duration.ofSeconds(20))
                .until(() -> !hasReceived());
    }

    /** The STag that the next message invalidated. */
    OptionalInt invalidated() throws Exception {
        return take(invalidations);
    }

    public RemoteSegment expose(ByteBuffer direct, RemoteAccess.Right right) throws Exception {
        MemoryRegion region = provider.register(direct);
        return queuePair().expose(region.segment(0, region.length()), right).advertised();
    }

    /** Writes into the peer's memory. Returns the status of the completion. */
    public Completion.Status write(ByteBuffer direct, RemoteSegment target) throws Exception {
        MemoryRegion region = provider.register(direct);
        queuePair().post(List.of(new WorkRequest.Write(1, List.of(region.segment(0, region.length())), target)));
        return take(work).status();
    }

    /** Reads from the peer's memory. Returns the status of the completion. */
    public Completion.Status read(ByteBuffer direct, RemoteSegment source) throws Exception {
        MemoryRegion region = provider.register(direct);
        queuePair().post(List.of(new WorkRequest.Read(2, region.segment(0, region.length()), source)));
        return take(work).status();
    }

    void awaitEnd() throws Exception {
        end.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    private static <T> T take(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing came within " + TIMEOUT_SECONDS + " s");
        }
        return next;
    }

    @Override
    public void close() {
        provider.close();
    }
}
