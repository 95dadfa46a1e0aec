// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/** A peer that writes valid and invalid bytes to a plain socket. CRC is on. */
final class RawPeer implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 20_000;

    /** Flags C and S, revision 2, 4 bytes: IRD 8, ORD 2. */
    private static final String REQUEST = "5002 0004 0008 0002";

    private final Socket socket;
    private final DataInputStream in;

    private RawPeer(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        in = new DataInputStream(socket.getInputStream());
    }

    static RawPeer connectedTo(InetSocketAddress address) throws IOException {
        return new RawPeer(new Socket(address.getAddress(), address.getPort()));
    }

    /** Connects from an address that the test chooses. */
    static RawPeer connectedTo(InetSocketAddress address, String from) throws IOException {
        return new RawPeer(new Socket(address.getAddress(), address.getPort(), InetAddress.getByName(from), 0));
    }

    /** Connects and completes the set-up. */
    static RawPeer establishedTo(InetSocketAddress address) throws IOException {
        RawPeer peer = connectedTo(address);
        peer.setUp();
        return peer;
    }

    static RawPeer acceptedBy(ServerSocket listening) throws IOException {
        listening.setSoTimeout(TIMEOUT_MILLIS);
        return new RawPeer(listening.accept());
    }

    static ServerSocket listening() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    /** Sends bytes unchanged. */
    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Sends an MPA frame: its 16-byte key and the rest, given in hex. */
    void sendMpa(String key, String hex) throws IOException {
        send(key.getBytes(US_ASCII));
        send(hex(hex));
    }

    /** Sends an MPA request, and receives the reply. */
    void setUp() throws IOException {
        sendMpa("MPA ID Req Frame", REQUEST);
        receive(24);
    }

    /** Sends a well-formed FPDU. */
    void sendFpdu(String ulpdu) throws IOException {
        send(fpdu(hex(ulpdu)));
    }

    /** Receives this many bytes; returns them in hex. */
    String receive(int length) throws IOException {
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Receives an FPDU, checks its framing, and returns its ULPDU. */
    byte[] receiveFpdu() throws IOException {
        byte[] ulpdu = new byte[in.readUnsignedShort()];
        in.readFully(ulpdu);
        byte[] expected = fpdu(ulpdu);
        byte[] trailer = new byte[expected.length - 2 - ulpdu.length];
        in.readFully(trailer);
        assertThat(ByteBuffer.wrap(trailer)).isEqualTo(ByteBuffer.wrap(expected, 2 + ulpdu.length, trailer.length));
        return ulpdu;
    }

    /** Receives FPDUs up to the Terminate; returns its layer, error type and code. */
    String receiveTerminate() throws IOException {
        byte[] ulpdu;
        do {
            ulpdu = receiveFpdu();
        } while ((ulpdu[1] & 0xf) != 7);
        return HexFormat.of().formatHex(ulpdu, 18, 20);
    }

    /** Waits until the other side has ended its stream. */
    void receiveEnd() throws IOException {
        try {
            assertThat(in.read()).isEqualTo(-1);
        } catch (SocketException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
    }

    /** Receives what comes. Returns whether at its end the other side has reset the connection, and not ended its stream. */
    boolean endsByReset() throws IOException {
        try {
            in.readAllBytes();
            return false;
        } catch (SocketException reset) {
            assertThat(reset).hasMessageContaining("reset");
            return true;
        }
    }

    /** Whether the other side sends nothing for a while. */
    boolean staysSilent() throws IOException {
        socket.setSoTimeout(100);
        try {
            return in.read() < -1;
        } catch (SocketTimeoutException e) {
            return true;
        } finally {
            socket.setSoTimeout(TIMEOUT_MILLIS);
        }
    }

    /** Ends this side's stream and waits until the other side has ended its own. */
    void finish() throws IOException {
        socket.shutdownOutput();
        in.readAllBytes();
    }

    /** Resets the connection. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** An FPDU: length, ULPDU, padding to 4 bytes, and the CRC32C of all that, little-endian. */
    static byte[] fpdu(byte[] ulpdu) {
        int padded = (2 + ulpdu.length + 3) & ~3;
        ByteBuffer bytes =
                ByteBuffer.allocate(padded + 4).putShort((short) ulpdu.length).put(ulpdu);
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), 0, padded);
        bytes.order(ByteOrder.LITTLE_ENDIAN).putInt(padded, (int) crc.getValue());
        return bytes.array();
    }

    static byte[] hex(String spaced) {
        return HexFormat.of().parseHex(spaced.replace(" ", ""));
    }
}
