// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import org.emplace.rdma.RemoteSegment;

/** Messages written down word by word, as they stand on the wire. */
final class Words {
    private int[] words = {};
    private int rpcMessage = -1;

    /** The fixed fields of a header of version 1. */
    static Words header(int xid, int credits, int type) {
        return new Words().and(xid, 1, credits, type);
    }

    Words and(int... more) {
        words = IntStream.concat(IntStream.of(words), IntStream.of(more)).toArray();
        return this;
    }

    /** Handle, length, offset. */
    Words and(RemoteSegment segment) {
        return and(segment.stag(), (int) segment.length(), (int) (segment.offset() >>> 32), (int) segment.offset());
    }

    /** An RPC call of a procedure of {@link Blobs}, up to its arguments. */
    Words call(int xid, int procedure) {
        return and(xid, 0, 2, (int) Blobs.PROGRAM, (int) Blobs.VERSION, procedure, 0, 0, 0, 0);
    }

    /** An accepted RPC reply, up to its results. */
    Words reply(int xid) {
        rpcMessage = words.length;
        return and(xid, 1, 0, 0, 0, 0);
    }

    /** Fills in the xid: the first word, and the first of an RPC message that {@link #reply} wrote with the xid 0. */
    Words withXid(int xid) {
        words[0] = xid;
        if (rpcMessage >= 0) {
            words[rpcMessage] = xid;
        }
        return this;
    }

    /** An offered segment of which so many bytes were used. */
    static RemoteSegment used(RemoteSegment offered, int length) {
        return new RemoteSegment(offered.stag(), offered.offset(), length);
    }

    ByteBuffer bytes() {
        ByteBuffer bytes = ByteBuffer.allocate(4 * words.length);
        bytes.asIntBuffer().put(words);
        return bytes;
    }

    /** A message as words. */
    static int[] of(ByteBuffer message) {
        int[] words = new int[message.remaining() / 4];
        message.slice().asIntBuffer().get(words);
        return words;
    }
}
