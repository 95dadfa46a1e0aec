// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The complete RPC messages of a recorded connection.
 *
 * @param fromClient calls, and replies to callbacks
 * @param fromServer replies and callbacks
 */
record RecordedMessages(List<ByteBuffer> fromClient, List<ByteBuffer> fromServer) {
    private static final int LAST_FRAGMENT = 0x8000_0000;

    /** Reads a connection over TCP with record marking (RFC 5531 section 11), in which each message is one fragment. */
    static RecordedMessages overTcp(String resource) throws IOException {
        String text = Recording.text(resource);
        return new RecordedMessages(records(Recording.stream(text, ">")), records(Recording.stream(text, "<")));
    }

    /** Reads a connection over iWARP, and inserts the data of chunks at their positions. */
    static RecordedMessages overIwarp(String resource) {
        Recording recording = Recording.ofLinux(resource);
        List<ByteBuffer> client = new ArrayList<>();
        List<ByteBuffer> server = new ArrayList<>();
        for (Exchange exchange : recording.exchanges()) {
            client.add(exchange.rpcCall());
            server.add(exchange.rpcReply());
        }
        for (Exchange callback : recording.callbacks()) {
            server.add(callback.rpcCall());
            client.add(callback.rpcReply());
        }
        return new RecordedMessages(client, server);
    }

    private static List<ByteBuffer> records(DataInputStream in) throws IOException {
        List<ByteBuffer> records = new ArrayList<>();
        while (in.available() > 0) {
            int mark = in.readInt();
            if ((mark & LAST_FRAGMENT) == 0) {
                throw new IOException("a recorded message has several fragments");
            }
            byte[] message = new byte[mark & ~LAST_FRAGMENT];
            in.readFully(message);
            records.add(ByteBuffer.wrap(message));
        }
        return records;
    }
}
