// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.emplace.xdr.XdrOpaque;

/**
 * An NFS/RDMA connection recorded by {@code record-linux}.
 *
 * @param mpaRequest the client's first bytes
 * @param mpaReply the server's first bytes
 * @param exchanges the client's calls, in order
 * @param callbacks the server's calls to the client, in order
 */
record Recording(XdrOpaque mpaRequest, XdrOpaque mpaReply, List<Exchange> exchanges, List<Exchange> callbacks) {
    private static final int MPA_HEADER = 20;

    /**
     * Reads the recording of a Linux client that mounts an export of a Linux server.
     *
     * @param resource such as {@code linux-nfs3-iwarp.txt}
     */
    static Recording ofLinux(String resource) {
        try {
            String text = text(resource);
            return of(stream(text, ">"), stream(text, "<"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Recording of(DataInputStream client, DataInputStream server) throws IOException {
        XdrOpaque request = readMpaFrame(client);
        XdrOpaque reply = readMpaFrame(server);
        List<Fpdu> calls = new ArrayList<>();
        List<Fpdu> callbackReplies = new ArrayList<>();
        List<Fpdu> responses = new ArrayList<>();
        while (client.available() > 0) {
            Fpdu fpdu = readWhole(client);
            if (!fpdu.isSend()) {
                responses.add(fpdu);
            } else {
                (Exchange.hasRpcMessage(fpdu, Exchange.REPLY) ? callbackReplies : calls).add(fpdu);
            }
        }
        List<Exchange> exchanges = new ArrayList<>();
        List<Exchange> callbacks = new ArrayList<>();
        for (Fpdu call : calls) {
            exchanges.add(exchange(call, server, responses, callbacks, callbackReplies));
        }
        return new Recording(request, reply, List.copyOf(exchanges), List.copyOf(callbacks));
    }

    /**
     * Takes the messages of one call. The client waits for each reply before its next call, so the server's messages up to a reply belong to one
     * call, except callbacks.
     *
     * @param responses the client's remaining Read Responses; those of this call are removed
     * @param callbacks callbacks before the reply are added to it
     * @param callbackReplies the client's remaining replies to callbacks
     */
    private static Exchange exchange(
            Fpdu call,
            DataInputStream server,
            List<Fpdu> responses,
            List<Exchange> callbacks,
            List<Fpdu> callbackReplies)
            throws IOException {
        List<Fpdu> writes = new ArrayList<>();
        List<Fpdu> reads = new ArrayList<>();
        while (true) {
            Fpdu fromServer = readWhole(server);
            if (fromServer.opcode() == Fpdu.READ_REQUEST) {
                reads.add(responses.remove(0));
            } else if (!fromServer.isSend()) {
                writes.add(fromServer);
            } else if (Exchange.hasRpcMessage(fromServer, Exchange.CALL)) {
                callbacks.add(new Exchange(fromServer, List.of(), List.of(), callbackReplies.remove(0)));
            } else {
                return new Exchange(call, writes, reads, fromServer);
            }
        }
    }

    /** The text of a test resource. */
    static String text(String resource) throws IOException {
        try (InputStream text = Recording.class.getResourceAsStream("/" + resource)) {
            return new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /**
     * The recorded bytes of one direction.
     *
     * @param direction {@code >} from the client, {@code <} from the server
     */
    static DataInputStream stream(String text, String direction) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        text.lines()
                .filter(line -> line.startsWith(direction))
                .forEach(line -> bytes.writeBytes(HexFormat.of().parseHex(line.substring(2))));
        return new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    }

    private static Fpdu readWhole(DataInputStream in) throws IOException {
        Fpdu fpdu = Fpdu.readFrom(in);
        if (!fpdu.isLast()) {
            throw new IOException("a recorded message has several segments");
        }
        return fpdu;
    }

    /** Reads an MPA request or reply with its private data. */
    static XdrOpaque readMpaFrame(DataInputStream in) throws IOException {
        byte[] header = new byte[MPA_HEADER];
        in.readFully(header);
        int privateData = Byte.toUnsignedInt(header[18]) << 8 | Byte.toUnsignedInt(header[19]);
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.writeBytes(header);
        byte[] rest = new byte[privateData];
        in.readFully(rest);
        frame.writeBytes(rest);
        return XdrOpaque.of(frame.toByteArray());
    }
}
