// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.concurrent.FutureTask;
import org.emplace.Rpc;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rpc.RpcException;
import org.junit.jupiter.api.Test;

/** The messages when no connection can be made. They are the provider's, not those of the transport's later timeout. */
final class ConnectingTest {
    /** Length of key, flags, revision and the length of the private data. */
    private static final int MPA_HEADER = 20;

    private static final int READS_MASK = 0x3fff;

    @Test
    void aClosedPortIsReportedAsRefused() throws Exception {
        ServerSocket closed = listening();
        closed.close();
        assertFails(closed, Reason.REFUSED, "Connection refused", "InfiniBand and RoCE peers do not answer");
    }

    @Test
    void aPeerThatDisconnectsIsReported() throws Exception {
        try (ServerSocket listening = listening()) {
            FutureTask<byte[]> hangsUp = new FutureTask<>(() -> mpaRequest(listening));
            new Thread(hangsUp).start();
            assertFails(listening, Reason.DISCONNECTED, "before it answered the MPA request");
            assertThat(hangsUp.get()).hasSize(MPA_HEADER + 2 * Short.BYTES);
        }
    }

    /** Like Linux: a responder would reserve what is requested, which is scarce on some adapters. */
    @Test
    void aClientAnswersRdmaReadsAndRequestsNone() throws Exception {
        try (ServerSocket listening = listening()) {
            FutureTask<byte[]> request = new FutureTask<>(() -> mpaRequest(listening));
            new Thread(request).start();
            assertFails(listening, Reason.DISCONNECTED, "before it answered the MPA request");
            ByteBuffer reads = ByteBuffer.wrap(request.get()).position(MPA_HEADER);
            assertThat(reads.getShort() & READS_MASK).as("inbound").isEqualTo(16);
            assertThat(reads.getShort() & READS_MASK).as("outbound").isZero();
        }
    }

    private static ServerSocket listening() throws Exception {
        return new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    }

    /**
     * Reads the request up to the numbers of RDMA Reads (RFC 6581 section 9), and resets the connection, which the
     * initiator has seen established by then.
     */
    private static byte[] mpaRequest(ServerSocket listening) throws IOException {
        try (Socket accepted = listening.accept()) {
            accepted.setSoTimeout(10_000);
            byte[] request = accepted.getInputStream().readNBytes(MPA_HEADER + 2 * Short.BYTES);
            accepted.setSoLinger(true, 0);
            return request;
        }
    }

    private static void assertFails(ServerSocket peer, Reason reason, String... said) {
        assertThatThrownBy(() -> Rpc.connect(URI.create("rdma://127.0.0.1:" + peer.getLocalPort())))
                .isInstanceOf(RpcException.class)
                .hasMessageContainingAll(said)
                .cause()
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    }
}
