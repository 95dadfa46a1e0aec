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
 * A recorded NFS/RDMA connection: what {@code record-linux} wrote down.
 *
 * @param mpaRequest the client's first bytes
 * @param mpaReply the server's first bytes
 * @param exchanges the calls, in the client's order
 */
record Recording(XdrOpaque mpaRequest, XdrOpaque mpaReply, List<Exchange> exchanges) {
    private static final int MPA_HEADER = 20;

    /** The mount that Linux made of an export of Linux. */
    static Recording ofLinux() {
        try (InputStream text = Recording.class.getResourceAsStream("/linux-nfs3-iwarp.txt")) {
            return parse(new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Recording parse(String text) throws IOException {
        DataInputStream client = stream(text, ">");
        DataInputStream server = stream(text, "<");
        XdrOpaque request = readMpaFrame(client);
        XdrOpaque reply = readMpaFrame(server);
        List<Fpdu> calls = new ArrayList<>();
        List<Fpdu> responses = new ArrayList<>();
        while (client.available() > 0) {
            Fpdu fpdu = readWhole(client);
            (fpdu.isSend() ? calls : responses).add(fpdu);
        }
        return new Recording(request, reply, exchanges(calls, responses, server));
    }

    /** The client waits for each reply before it calls again, so the server's messages up to a Send belong to one call. */
    private static List<Exchange> exchanges(List<Fpdu> calls, List<Fpdu> responses, DataInputStream server)
            throws IOException {
        List<Exchange> exchanges = new ArrayList<>();
        List<Fpdu> left = new ArrayList<>(responses);
        for (Fpdu call : calls) {
            List<Fpdu> writes = new ArrayList<>();
            List<Fpdu> reads = new ArrayList<>();
            Fpdu fromServer = readWhole(server);
            while (!fromServer.isSend()) {
                if (fromServer.opcode() == Fpdu.READ_REQUEST) {
                    reads.add(left.remove(0));
                } else {
                    writes.add(fromServer);
                }
                fromServer = readWhole(server);
            }
            exchanges.add(new Exchange(call, writes, reads, fromServer));
        }
        return List.copyOf(exchanges);
    }

    private static DataInputStream stream(String text, String direction) {
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

    /** Takes an MPA request or reply with its private data. */
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
