// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.emplace.RpcServer;
import org.emplace.reactor.LoggedBy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Peers that send raw bytes to the server. */
@Timeout(60)
class HostileTcpPeersTest {
    private static final int LAST = 0x8000_0000;
    private static final int MAXIMUM = 64 * 1024;
    private static final int GARBAGE_ARGS = 4;

    private RpcServer server;
    private Socket peer;
    private DataOutputStream out;
    private DataInputStream in;

    @BeforeEach
    void connect() throws Exception {
        server = Loopback.builder(EchoProgram.service())
                .options(ConnectionOptions.DEFAULT.withCredits(4).withMaxMessage(MAXIMUM))
                .closeTimeout(Duration.ofMillis(50))
                .start();
        peer = open();
        out = new DataOutputStream(peer.getOutputStream());
        in = new DataInputStream(peer.getInputStream());
    }

    @AfterEach
    void close() throws IOException {
        peer.close();
        server.close();
    }

    @Test
    void aRecordMayArriveInManyFragmentsAndBytes() throws Exception {
        byte[] call = echo(0x1234, 2, 5);
        for (byte each : call) {
            out.writeInt(1);
            out.writeByte(each);
            out.flush();
        }
        out.writeInt(LAST);

        assertReply(0x1234, 0, 0, 0, 0, 5);
    }

    @Test
    void aLongRecordInFragmentsOfOneByteTakesTimeProportionalToItsLength() throws Exception {
        byte[] call = Arrays.copyOf(echo(0x1235, 3, 5), 3 << 20);
        ByteBuffer fragments = ByteBuffer.allocate(5 * call.length + Integer.BYTES);
        for (byte each : call) {
            fragments.putInt(1).put(each);
        }
        fragments.putInt(LAST);
        try (RpcServer patient = Loopback.builder(EchoProgram.service()).start();
                Socket hostile = open(patient)) {
            hostile.setSoTimeout(20_000);

            hostile.getOutputStream().write(fragments.array());

            assertReply(new DataInputStream(hostile.getInputStream()), 0x1235, 1, 0, 2, 2);
        }
    }

    @Test
    void aRecordLongerThanAllowedThatIsNoMessageEndsOnlyItsConnection() throws Exception {
        out.writeInt(LAST | 0x7fff_ffff);
        out.write(words(1, 2));

        assertThat(in.read()).isEqualTo(-1);
        assertServerLives();
    }

    @Test
    void fragmentsThatAddUpToMoreThanAllowedAndAreNoMessageEndTheConnection() throws Exception {
        byte[] noMessage = new byte[MAXIMUM];
        noMessage[7] = 2;
        out.writeInt(MAXIMUM);
        out.write(noMessage);
        out.writeInt(1);
        out.write(0);

        assertThat(in.read()).isEqualTo(-1);
        assertServerLives();
    }

    @Test
    void aCallInFragmentsThatAddUpToMoreThanAllowedIsAnswered() throws Exception {
        byte[] longer = Arrays.copyOf(echo(7, 2, 5), MAXIMUM);
        for (int i = 0; i < 2; i++) {
            out.writeInt(MAXIMUM);
            out.write(longer);
        }
        out.writeInt(LAST);

        assertReply(7, 0, 0, 0, GARBAGE_ARGS);
        send(echo(8, 2, 6));
        assertReply(8, 0, 0, 0, 0, 6);
    }

    @Test
    void anIncompleteRecordDelaysNoOtherConnection() throws Exception {
        List<Socket> idle = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Socket socket = open();
            socket.getOutputStream().write(new byte[] {(byte) 0x80, 0, 0, 100, 1, 2, 3});
            idle.add(socket);
        }

        assertServerLives();
        for (Socket socket : idle) {
            socket.close();
        }
    }

    @Test
    void aCallOfAnotherRpcVersionGetsTheSupportedVersions() throws Exception {
        send(echo(7, 3, 5));

        assertReply(7, 1, 0, 2, 2);
    }

    @Test
    void aCallWithATruncatedHeaderIsDroppedAndTheNextOneAnswered() throws Exception {
        send(words(8, 0, 2));
        send(new byte[3]);
        send(words(9, 77));
        send(echo(10, 2, 5));

        assertReply(10, 0, 0, 0, 0, 5);
    }

    @Test
    void bytesAfterTheArgumentsAreGarbageArgs() throws Exception {
        send(words(11, 0, 2, (int) EchoProgram.PROGRAM.number(), 3, 1, 0, 0, 0, 0, 5, 6));

        assertReply(11, 0, 0, 0, 4);
    }

    @Test
    void procedureZeroIsAnsweredWithoutAHandler() throws Exception {
        send(words(12, 0, 2, (int) EchoProgram.PROGRAM.number(), 3, 0, 0, 0, 0, 0));

        assertReply(12, 0, 0, 0, 0);
    }

    @Test
    void aPeerThatDoesNotReceiveIsNotServedBeyondItsCredits() throws Exception {
        peer.setSoTimeout(20_000);
        int calls = 60;
        int size = 1 << 20;
        Thread sender = new Thread(() -> {
            try {
                for (int i = 0; i < calls; i++) {
                    send(words(i, 0, 2, (int) EchoProgram.PROGRAM.number(), 3, 3, 0, 0, 0, 0, size));
                }
            } catch (IOException ended) {
                // The receiving side below reports what is missing.
            }
        });
        sender.start();

        assertServerLives();
        for (int i = 0; i < calls; i++) {
            int mark = in.readInt();
            assertThat(mark & ~LAST).isEqualTo(7 * 4 + size);
            in.skipNBytes(mark & ~LAST);
        }
        sender.join();
    }

    @Test
    void aPeerThatReceivesItsRepliesTooSlowlyLosesItsConnection() throws Exception {
        ConnectionOptions impatient = ConnectionOptions.DEFAULT
                .withTransferTimeout(Duration.ofMillis(500))
                .withMinDrain(8 << 20);
        try (RpcServer server = Loopback.builder(EchoProgram.service())
                        .options(impatient)
                        .start();
                Socket slow = new Socket()) {
            slow.setReceiveBufferSize(4096);
            slow.connect(server.addresses().get(0));
            DataOutputStream toServer = new DataOutputStream(slow.getOutputStream());
            for (int xid = 0; xid < 8; xid++) {
                byte[] read = words(xid, 0, 2, (int) EchoProgram.PROGRAM.number(), 3, 3, 0, 0, 0, 0, 4_000_000);
                toServer.writeInt(LAST | read.length);
                toServer.write(read);
            }
            // Half a call, continued byte by byte, so that the peer learns the end by a reset. Otherwise it would first
            // have to receive the megabytes that the kernel holds.
            toServer.writeInt(LAST | MAXIMUM);
            byte[] few = new byte[1024];

            assertThatThrownBy(() -> {
                        for (int taken = 0;
                                taken >= 0;
                                taken = slow.getInputStream().read(few)) {
                            toServer.writeByte(0);
                            Thread.sleep(10);
                        }
                        throw new EOFException();
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void lostConnectionsDoNotFloodTheLog() throws Exception {
        try (LoggedBy log = LoggedBy.names("org.emplace.rpc.tcp.TcpConnection")) {
            for (int i = 0; i < 100; i++) {
                try (Socket bad = open()) {
                    // A record of 2 GiB that is no RPC message.
                    byte[] beginning = new byte[64];
                    Arrays.fill(beginning, (byte) -1);
                    bad.getOutputStream().write(beginning);
                    assertThat(bad.getInputStream().read()).isEqualTo(-1);
                }
            }
            // The peer may see the end of the connection before it is logged.
            assertServerLives();
            assertThat(log.messages()).hasSizeLessThan(10);
        }
    }

    private static byte[] echo(int xid, int rpcVersion, int value) {
        return words(xid, 0, rpcVersion, (int) EchoProgram.PROGRAM.number(), 3, 1, 0, 0, 0, 0, value);
    }

    private static byte[] words(int... words) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * words.length);
        for (int word : words) {
            bytes.putInt(word);
        }
        return bytes.array();
    }

    private void send(byte[] record) throws IOException {
        out.writeInt(LAST | record.length);
        out.write(record);
    }

    private void assertReply(int xid, int... afterType) throws IOException {
        assertReply(in, xid, afterType);
    }

    private static void assertReply(DataInputStream from, int xid, int... afterType) throws IOException {
        assertThat(from.readInt()).isEqualTo(LAST | (8 + 4 * afterType.length));
        assertThat(from.readInt()).isEqualTo(xid);
        assertThat(from.readInt()).isEqualTo(1);
        for (int word : afterType) {
            assertThat(from.readInt()).isEqualTo(word);
        }
    }

    private void assertServerLives() throws Exception {
        try (RpcConnection other = Loopback.connect(server)) {
            assertThat(EchoProgram.echo(other, 1)).isEqualTo(1);
        }
    }

    private Socket open() throws IOException {
        return open(server);
    }

    private static Socket open(RpcServer to) throws IOException {
        return new Socket(
                InetAddress.getLoopbackAddress(), to.addresses().get(0).getPort());
    }
}
