// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A client of software iWARP on a plain socket that makes calls and takes no answers. */
final class DeafPeer implements AutoCloseable {
    /** MPA header, read limits, RFC 8797's private data. */
    private static final int MPA_REPLY = 20 + 4 + 8;

    private final Socket socket = new Socket();
    private int sequence;

    private DeafPeer() {}

    /** A peer after its MPA set-up, without CRC and with inline thresholds of 4096 bytes. */
    static DeafPeer connectedTo(InetSocketAddress server) throws IOException {
        DeafPeer peer = new DeafPeer();
        peer.socket.setReceiveBufferSize(4096);
        peer.socket.connect(server);
        peer.socket.getOutputStream().write(mpaRequest());
        peer.socket.getInputStream().skipNBytes(MPA_REPLY);
        return peer;
    }

    /**
     * Sends a message; blocks while the server does not receive.
     *
     * @throws IOException if the server has ended the connection
     */
    void send(Words message) throws IOException {
        socket.getOutputStream().write(sendFpdu(++sequence, message.bytes()));
    }

    /** Flag S, revision 2, twelve bytes: IRD 8, ORD 8, and private data. */
    private static byte[] mpaRequest() {
        return ByteBuffer.allocate(32)
                .put("MPA ID Req Frame".getBytes(StandardCharsets.US_ASCII))
                .putInt(0x1002000c)
                .putInt(0x00080008)
                .put(RawPeer.privateData(false))
                .array();
    }

    /** A Send in one FPDU without CRC. */
    private static byte[] sendFpdu(int sequence, ByteBuffer message) {
        int length = message.remaining();
        return ByteBuffer.allocate(2 + 18 + length + 4)
                .putShort((short) (18 + length))
                .putShort((short) 0x4143)
                .putInt(0)
                .putInt(0)
                .putInt(sequence)
                .putInt(0)
                .put(message)
                .array();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
