// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A recorded call with all that belongs to it. A callback's roles are the other way round.
 *
 * @param call the client's Send
 * @param writes the server's RDMA Writes, in order
 * @param readResponses the client's answers to the server's RDMA Reads, in order
 * @param reply the server's Send
 */
record Exchange(Fpdu call, List<Fpdu> writes, List<Fpdu> readResponses, Fpdu reply) {
    static final int CALL = 0;
    static final int REPLY = 1;

    private static final int RDMA_MSG = 0;

    /** Refuses a reply to another call. */
    Exchange {
        if (call.payload().getInt(0) != reply.payload().getInt(0)) {
            throw new IllegalArgumentException("call and reply have different xids");
        }
    }

    /** Whether a Send holds, inline, an RPC message of a type. */
    static boolean hasRpcMessage(Fpdu send, int type) {
        ByteBuffer header = send.payload();
        return header.getInt(12) == RDMA_MSG && afterChunkLists(header).getInt(4) == type;
    }

    int xid() {
        return call.payload().getInt(0);
    }

    /** The memory that the call offers for reading: of its one Read chunk, empty if there is none. */
    byte[] readChunk() {
        return concatenated(readResponses);
    }

    /** The RPC call, whole: a Read chunk's data are where its position says, with their pad. */
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

    /** The RPC reply, whole. A Write chunk's data come last in all results that are recorded. */
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
