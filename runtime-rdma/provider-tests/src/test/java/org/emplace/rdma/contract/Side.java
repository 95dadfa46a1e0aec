// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.ConnectionParameters.PrivateData;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.Receives;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rdma.WorkRequest;

/** One end of a connection: its provider, and {@link #RECEIVES} Receives that are posted with ids from 0. */
public final class Side {
    public static final int RECEIVES = 8;
    public static final int RECEIVE_SIZE = 200_000;
    static final int READS = 4;
    static final Duration KEEP_ALIVE = Duration.ofSeconds(4);

    public final RdmaProvider provider;
    public final RecordingHandler handler;
    public final MemoryRegion receives;

    Side(RdmaProvider provider, RecordingHandler handler) throws RdmaException {
        this.provider = provider;
        this.handler = handler;
        receives = region(RECEIVES * RECEIVE_SIZE);
    }

    public QueuePair queuePair() throws Exception {
        return handler.queuePair();
    }

    ConnectionParameters parameters(String privateData) {
        List<ReceiveRequest> requests =
                IntStream.range(0, RECEIVES).mapToObj(this::receive).toList();
        return new ConnectionParameters(
                PrivateData.of(bytes(privateData)),
                READS,
                READS,
                new Receives.Own(requests),
                Duration.ofSeconds(RecordingHandler.TIMEOUT_SECONDS),
                KEEP_ALIVE);
    }

    static byte[] bytes(String text) {
        return text.getBytes(US_ASCII);
    }

    ReceiveRequest receive(int id) {
        return new ReceiveRequest(id, receives.segment(id * RECEIVE_SIZE, RECEIVE_SIZE));
    }

    /** The bytes received by a Receive. */
    ByteBuffer received(int id, int length) {
        return receives.buffer().slice(id * RECEIVE_SIZE, length);
    }

    /** Registers memory filled with zeros. */
    public MemoryRegion region(int length) throws RdmaException {
        return provider.register(ByteBuffer.allocateDirect(length));
    }

    /** Registers memory filled with random bytes, always the same for one length. */
    MemoryRegion noise(int length) throws RdmaException {
        return noise(length, length);
    }

    /** Registers memory filled with the random bytes of a seed. */
    MemoryRegion noise(int length, long seed) throws RdmaException {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return provider.register(ByteBuffer.allocateDirect(length).put(bytes).flip());
    }

    public void post(WorkRequest... requests) throws Exception {
        queuePair().post(List.of(requests));
    }

    /** Grants the peer access to all of a region. */
    RemoteAccess expose(MemoryRegion region, Right right) throws Exception {
        return queuePair().expose(region.segment(0, region.length()), right);
    }

    /** A Send of all of a region. */
    static WorkRequest send(int id, MemoryRegion source) {
        return send(id, source, source.length());
    }

    /** A Send of a region's first bytes. */
    static WorkRequest send(int id, MemoryRegion source, int length) {
        return new WorkRequest.Send(id, List.of(source.segment(0, length)), OptionalInt.empty());
    }
}
