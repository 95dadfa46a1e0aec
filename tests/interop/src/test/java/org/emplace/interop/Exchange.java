// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A recorded call with its transfers and its reply. For a callback, client and server change roles.
 *
 * @param call the client's Send
 * @param writes the server's RDMA Writes, in order
 * @param readResponses the client's responses to the server's RDMA Reads, in order
 * @param reply the server's Send
 */
record Exchange(Fpdu call, List<Fpdu> writes, List<Fpdu> readResponses, Fpdu reply) {
    static final int CALL = 0;
    static final int REPLY = 1;

    private static final int RDMA_MSG = 0;

    /** Checks that the reply belongs to the call. */
    Exchange {
        if (call.payload().getInt(0) != reply.payload().getInt(0)) {
            throw new IllegalArgumentException("call and reply have different xids");
        }
    }

    /** Whether a Send holds an inline RPC message of a type. */
    static boolean hasRpcMessage(Fpdu send, int type) {
        ByteBuffer header = send.payload();
        return header.getInt(12) == RDMA_MSG && afterChunkLists(header).getInt(4) == type;
    }

    int xid() {
        return call.payload().getInt(0);
    }

    /** The data of the call's only Read chunk; empty if it has none. */
    byte[] readChunk() {
        return concatenated(readResponses);
    }

    /** The complete RPC call, with a Read chunk's data inserted at its position, padded. */
    ByteBuffer rpcCall() {
        ByteBuffer header = call.payload();
        ByteBuffer inline = afterChunkLists(header);
        byte[] chunk = readChunk();
        if (chunk.length == 0) {
            return inline;
        }
        int position = header.getInt(20);
        ByteBuffer whole = ByteBuffer.allocate(inline.remaining() + roundUp(chunk.length));
        whole.put(inline.slice(0, position)).put(chunk).position(position + roundUp(chunk.length));
        return whole.put(inline.slice(position, inline.remaining() - position)).flip();
    }

    /** The complete RPC reply. In all recorded results a Write chunk's data come last. */
    ByteBuffer rpcReply() {
        ByteBuffer header = reply.payload();
        ByteBuffer inline = header.getInt(12) == RDMA_MSG ? afterChunkLists(header) : ByteBuffer.allocate(0);
        byte[] written = concatenated(writes);
        return ByteBuffer.allocate(inline.remaining() + roundUp(written.length))
                .put(inline)
                .put(written)
                .rewind();
    }

    /** Skips xid, version, credits and type, the Read list, the Write list and the Reply chunk (RFC 8166 section 4). */
    private static ByteBuffer afterChunkLists(ByteBuffer message) {
        ByteBuffer in = message.duplicate().position(16);
        while (in.getInt() != 0) {
            in.position(in.position() + 20);
        }
        while (in.getInt() != 0) {
            skipSegments(in);
        }
        if (in.getInt() != 0) {
            skipSegments(in);
        }
        return in.slice();
    }

    private static void skipSegments(ByteBuffer in) {
        int segments = in.getInt();
        in.position(in.position() + 16 * segments);
    }

    private static byte[] concatenated(List<Fpdu> fpdus) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        fpdus.forEach(fpdu -> all.writeBytes(bytesOf(fpdu.payload())));
        return all.toByteArray();
    }

    static byte[] bytesOf(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    private static int roundUp(int length) {
        return (length + 3) & ~3;
    }
}
