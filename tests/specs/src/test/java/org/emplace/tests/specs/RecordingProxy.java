// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.specs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.emplace.tests.specs.rpcrdma1.Rpcrdma1Body;
import org.emplace.tests.specs.rpcrdma1.Rpcrdma1Chunks;
import org.emplace.tests.specs.rpcrdma1.Rpcrdma1Msg;
import org.emplace.tests.specs.rpcrdma1.Rpcrdma1Segment;
import org.emplace.tests.specs.rpcrdma1.Rpcrdma1WriteChunk;
import org.emplace.xdr.XdrDecoder;

/** Relays the bytes between one client and one server over software iWARP, and records the client's. */
final class RecordingProxy implements AutoCloseable {
    private static final int MPA_REQUEST = 20;
    private static final int UNTAGGED_HEADER = 18;
    private static final int CRC = 4;
    private static final int TAGGED = 0x80;
    private static final int SEND = 3;

    private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /**
     * A call as the client sent it, without fields that vary between calls.
     *
     * @param readChunks the length of each Read chunk
     * @param writeChunks the length of each Write chunk
     * @param replyChunk the lengths of the Reply chunk's segments
     * @param message the RPC message after its xid, in hexadecimal
     */
    record SentCall(List<Long> readChunks, List<Long> writeChunks, List<Long> replyChunk, String message) {}

    RecordingProxy(InetSocketAddress server) throws IOException {
        threads.execute(() -> {
            try (Socket client = listener.accept();
                    Socket upstream = new Socket(InetAddress.getLoopbackAddress(), server.getPort())) {
                client.setTcpNoDelay(true);
                upstream.setTcpNoDelay(true);
                threads.execute(() -> pass(upstream, client, OutputStream.nullOutputStream()));
                pass(client, upstream, sent);
            } catch (IOException over) {
                // the test ends
            }
        });
    }

    URI address() {
        return URI.create("rdma://127.0.0.1:" + listener.getLocalPort());
    }

    private static void pass(Socket from, Socket to, OutputStream copy) {
        byte[] buffer = new byte[65536];
        try {
            InputStream in = from.getInputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                copy.write(buffer, 0, length);
                to.getOutputStream().write(buffer, 0, length);
            }
            to.shutdownOutput();
        } catch (SocketException over) {
            // the other direction has ended
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The calls that the client sent. */
    List<SentCall> calls() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(sent.toByteArray());
        bytes.position(MPA_REQUEST + Short.toUnsignedInt(bytes.getShort(MPA_REQUEST - Short.BYTES)));
        List<SentCall> calls = new ArrayList<>();
        while (bytes.hasRemaining()) {
            int start = bytes.position();
            int length = Short.toUnsignedInt(bytes.getShort());
            boolean isSend =
                    (bytes.get(bytes.position()) & TAGGED) == 0 && (bytes.get(bytes.position() + 1) & 0xf) == SEND;
            if (isSend) {
                calls.add(call(bytes.slice(bytes.position() + UNTAGGED_HEADER, length - UNTAGGED_HEADER)));
            }
            int padded = (Short.BYTES + length + 3) & ~3;
            bytes.position(start + padded + CRC);
        }
        return calls;
    }

    private static SentCall call(ByteBuffer message) throws IOException {
        XdrDecoder in = new XdrDecoder(message);
        Rpcrdma1Chunks chunks = ((Rpcrdma1Body.RdmaMsg) Rpcrdma1Msg.decode(in).rdmaBody()).rdmaChunks();
        byte[] rest = new byte[in.remaining() - Integer.BYTES];
        message.get(message.limit() - rest.length, rest);
        return new SentCall(
                chunks.rdmaReads().stream()
                        .map(each -> each.rdmaEntry().rdmaTarget().rdmaLength())
                        .toList(),
                chunks.rdmaWrites().stream()
                        .map(each -> lengths(each.rdmaEntry()).stream()
                                .mapToLong(Long::longValue)
                                .sum())
                        .toList(),
                chunks.rdmaReply().map(RecordingProxy::lengths).orElse(List.of()),
                HexFormat.of().formatHex(rest));
    }

    private static List<Long> lengths(Rpcrdma1WriteChunk chunk) {
        return chunk.rdmaTarget().stream().map(Rpcrdma1Segment::rdmaLength).toList();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        threads.shutdown();
    }
}
