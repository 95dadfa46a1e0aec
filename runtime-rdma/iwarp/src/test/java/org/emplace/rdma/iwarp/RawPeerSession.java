// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.ConnectionParameters.PrivateData;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaListener;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rdma.contract.RecordingHandler;
import org.emplace.rdma.iwarp.framing.Wire;

/** A raw peer, connected as initiator to the provider under test, which has one Receive of 16 bytes and answers two Reads at a time. */
final class RawPeerSession implements AutoCloseable {
    static final Duration DRAIN = Duration.ofSeconds(2);
    static final IwarpOptions OPTIONS =
            IwarpOptions.DEFAULTS.withTimeouts(Duration.ofMillis(300), Duration.ofSeconds(10), DRAIN);

    final IwarpProvider provider;
    final RecordingHandler handler = new RecordingHandler();
    final MemoryRegion receive;
    final MemoryRegion memory;
    final RdmaListener listener;
    final RawPeer peer;

    RawPeerSession() throws Exception {
        this(UnaryOperator.identity());
    }

    private RawPeerSession(UnaryOperator<Wire> wiretap) throws Exception {
        provider = IwarpProvider.open(OPTIONS, wiretap);
        receive = provider.register(ByteBuffer.allocateDirect(16));
        memory = provider.register(ByteBuffer.allocateDirect(64));
        listener = provider.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                request -> request.accept(parameters(), handler));
        peer = RawPeer.connectedTo(listener.localAddress());
    }

    private ConnectionParameters parameters() {
        return new ConnectionParameters(
                PrivateData.of(new byte[0]),
                2,
                16,
                List.of(new ReceiveRequest(0, receive.segment(0, 16))),
                Duration.ofSeconds(10));
    }

    /** A session whose set-up is complete. */
    static RawPeerSession established() throws Exception {
        return established(UnaryOperator.identity());
    }

    /** As {@link #established()}, with the provider's socket calls going through the wires that {@code wiretap} returns. */
    static RawPeerSession established(UnaryOperator<Wire> wiretap) throws Exception {
        RawPeerSession session = new RawPeerSession(wiretap);
        session.peer.setUp();
        session.handler.queuePair();
        return session;
    }

    QueuePair queuePair() throws Exception {
        return handler.queuePair();
    }

    /** Exposes the first {@code length} bytes of the memory to the peer. */
    RemoteAccess expose(int length, Right right) throws Exception {
        return queuePair().expose(memory.segment(0, length), right);
    }

    /** An STag in hex. */
    static String stag(RemoteAccess access) {
        return String.format("%08x", access.advertised().stag());
    }

    /** The tagged offset of the {@code byteIndex}th byte in hex. */
    static String offset(RemoteAccess access, long byteIndex) {
        return String.format("%016x", access.advertised().offset() + byteIndex);
    }

    @Override
    public void close() throws IOException {
        peer.close();
        provider.close();
    }
}
