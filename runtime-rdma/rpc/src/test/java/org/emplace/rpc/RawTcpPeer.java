// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.emplace.RpcServer;

/** A client of the {@link EchoProgram} that comes from an address of the test's choice: its records are written by hand. */
final class RawTcpPeer implements AutoCloseable {
    private static final int LAST = 0x8000_0000;
    private static final int SUCCESS = 0;
    private static final int READ_LIMIT_MILLIS = 20_000;

    private final Socket socket;
    private final DataOutputStream out;
    private final DataInputStream in;

    RawTcpPeer(String address, RpcServer server) throws IOException {
        socket = new Socket(
                InetAddress.getLoopbackAddress(),
                server.addresses().get(0).getPort(),
                InetAddress.getByName(address),
                0);
        socket.setSoTimeout(READ_LIMIT_MILLIS);
        out = new DataOutputStream(socket.getOutputStream());
        in = new DataInputStream(socket.getInputStream());
    }

    /** Sends an ECHO whose xid is its value. */
    void sendEcho(int value) throws IOException {
        int[] call = {value, 0, 2, (int) EchoProgram.PROGRAM, (int) EchoProgram.VERSION, 1, 0, 0, 0, 0, value};
        out.writeInt(LAST | Integer.BYTES * call.length);
        for (int word : call) {
            out.writeInt(word);
        }
    }

    /** The status that the next reply has: 0 for SUCCESS. */
    int receiveStatus() throws IOException {
        int length = in.readInt() & ~LAST;
        in.skipNBytes(5 * Integer.BYTES);
        int status = in.readInt();
        in.skipNBytes(length - 6 * Integer.BYTES);
        return status;
    }

    /** Calls ECHO and waits for the reply. Whether it succeeded. */
    boolean echo(int value) throws IOException {
        sendEcho(value);
        return receiveStatus() == SUCCESS;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
