// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import org.emplace.RpcServer;

/** A client with a given address, which sends handwritten records. */
final class RawTcpPeer implements AutoCloseable {
    private static final int LAST = 0x8000_0000;
    private static final int SUCCESS = 0;
    private static final int STATUS = 5;
    private static final int READ_LIMIT_MILLIS = 20_000;

    private final Socket socket;
    private final DataOutputStream out;
    private final DataInputStream in;

    RawTcpPeer(String address, RpcServer server) throws IOException {
        this(address, server.addresses().get(0).getPort());
    }

    RawTcpPeer(String address, int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName(address), 0);
        socket.setSoTimeout(READ_LIMIT_MILLIS);
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    /** Sends an ECHO whose xid is its value. */
    void sendEcho(int value) throws IOException {
        send(value, EchoProgram.PROGRAM.number(), EchoProgram.PROGRAM.version(), 1, value);
    }

    /** Sends a call, with credentials of AUTH_NONE. */
    void send(int xid, long program, long version, int procedure, int... arguments) throws IOException {
        int[] call = {xid, 0, 2, (int) program, (int) version, procedure, 0, 0, 0, 0};
        int[] words = Arrays.copyOf(call, call.length + arguments.length);
        System.arraycopy(arguments, 0, words, call.length, arguments.length);
        sendWords(words);
    }

    /** Sends a successful reply. */
    void sendReply(int xid, int... results) throws IOException {
        int[] reply = {xid, 1, 0, 0, 0, 0};
        int[] words = Arrays.copyOf(reply, reply.length + results.length);
        System.arraycopy(results, 0, words, reply.length, results.length);
        sendWords(words);
    }

    private void sendWords(int... words) throws IOException {
        out.writeInt(LAST | Integer.BYTES * words.length);
        for (int word : words) {
            out.writeInt(word);
        }
        out.flush();
    }

    /** The words of the next reply. */
    int[] receive() throws IOException {
        int[] words = new int[(in.readInt() & ~LAST) / Integer.BYTES];
        for (int i = 0; i < words.length; i++) {
            words[i] = in.readInt();
        }
        return words;
    }

    /** The status of the next reply: 0 for SUCCESS. */
    int receiveStatus() throws IOException {
        return receive()[STATUS];
    }

    /** Calls ECHO and waits for the reply. Returns whether it succeeded. */
    boolean echo(int value) throws IOException {
        sendEcho(value);
        return receiveStatus() == SUCCESS;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
