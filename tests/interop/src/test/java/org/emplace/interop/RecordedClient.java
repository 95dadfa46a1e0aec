// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.emplace.xdr.XdrOpaque;

/**
 * Plays the client's side of a recording to a server, byte for byte, with two exceptions: Read Responses follow this server's requests, and Sends are
 * renumbered without those that answered callbacks.
 */
final class RecordedClient implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 20_000;

    private final Socket socket;
    private final DataInputStream in;
    private int sends;

    RecordedClient(InetSocketAddress server) throws IOException {
        socket = new Socket(server.getAddress(), server.getPort());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        in = new DataInputStream(socket.getInputStream());
    }

    /** Sets up the connection. Returns the server's MPA reply. */
    XdrOpaque connect(Recording recording) throws IOException {
        socket.getOutputStream().write(recording.mpaRequest().bytes());
        return Recording.readMpaFrame(in);
    }

    /** A server's answer to a call: the payload of its Send, and the memory that its RDMA Writes filled, by STag. */
    record Answer(ByteBuffer send, Map<Integer, ByteBuffer> written) {
        /** The answer in a recording. */
        static Answer recorded(Exchange exchange) {
            Memory memory = new Memory();
            exchange.writes().forEach(memory::write);
            return memory.answeredBy(exchange.reply());
        }
    }

    /** Sends a recorded call, and serves the server's Reads and Writes until it has replied. */
    Answer call(Exchange exchange) throws IOException {
        sends++;
        socket.getOutputStream().write(exchange.call().numbered(sends).bytes());
        Memory memory = new Memory();
        while (true) {
            Fpdu fpdu = Fpdu.readFrom(in);
            if (fpdu.isSend()) {
                return memory.answeredBy(fpdu);
            }
            switch (fpdu.opcode()) {
                case Fpdu.WRITE -> memory.write(fpdu);
                case Fpdu.READ_REQUEST -> answerRead(fpdu.payload(), exchange);
                default -> throw new IOException("the server sent an RDMAP message with opcode " + fpdu.opcode());
            }
        }
    }

    private void answerRead(ByteBuffer request, Exchange exchange) throws IOException {
        int sinkSTag = request.getInt();
        long sinkOffset = request.getLong();
        int size = request.getInt();
        int sourceSTag = request.getInt();
        long sourceOffset = request.getLong();
        ByteBuffer chunk = exchange.call().payload().position(24);
        if (sourceSTag != chunk.getInt()) {
            throw new IOException("the server reads with an STag that the call does not offer");
        }
        chunk.getInt();
        byte[] data = new byte[size];
        ByteBuffer.wrap(exchange.readChunk())
                .position((int) (sourceOffset - chunk.getLong()))
                .get(data);
        socket.getOutputStream()
                .write(Fpdu.readResponse(sinkSTag, sinkOffset, data).bytes());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** The bytes written, by STag, each contiguous from its lowest offset. */
    private static final class Memory {
        private final Map<Integer, TreeMap<Long, ByteBuffer>> writes = new TreeMap<>();

        void write(Fpdu fpdu) {
            writes.computeIfAbsent(fpdu.sTag(), sTag -> new TreeMap<>(Long::compareUnsigned))
                    .put(fpdu.taggedOffset(), fpdu.payload());
        }

        Answer answeredBy(Fpdu send) {
            Map<Integer, ByteBuffer> written = new TreeMap<>();
            writes.forEach((sTag, pieces) -> {
                int length =
                        pieces.values().stream().mapToInt(ByteBuffer::remaining).sum();
                ByteBuffer all = ByteBuffer.allocate(length);
                pieces.forEach((offset, piece) -> {
                    if (offset - pieces.firstKey() != all.position()) {
                        throw new IllegalStateException("RDMA Writes leave a gap or overlap at offset " + offset);
                    }
                    all.put(piece.duplicate());
                });
                written.put(sTag, all.flip());
            });
            return new Answer(send.payload(), written);
        }
    }
}
