// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.emplace.rdma.RemoteAccess.RemoteSegment;

/** Messages written word by word, as they are sent. */
public final class Words {
    private int[] words = {};
    private int rpcMessage = -1;

    /** The fixed fields of a header of version 1. */
    public static Words header(int xid, int credits, int type) {
        return new Words().and(xid, 1, credits, type);
    }

    /** The header of an RDMA_MSG with three empty chunk lists. */
    public static Words withoutChunks(int xid, int credits) {
        return header(xid, credits, 0).and(0, 0, 0);
    }

    public Words and(int... more) {
        words = IntStream.concat(IntStream.of(words), IntStream.of(more)).toArray();
        return this;
    }

    /** Handle, length, offset. */
    public Words and(RemoteSegment segment) {
        return and(segment.stag(), (int) segment.length(), (int) (segment.offset() >>> 32), (int) segment.offset());
    }

    /** An entry of the Read list: the flag, the position and the segment. */
    public Words read(int position, RemoteSegment segment) {
        return and(1, position).and(segment);
    }

    /**
     * An entry of the Write list, or a Reply chunk, with one segment: the flag, the number of segments and the segment.
     */
    public Words chunk(RemoteSegment segment) {
        return and(1, 1).and(segment);
    }

    /** Appends words. */
    public Words and(Words more) {
        return and(more.words);
    }

    /** An RPC call of a procedure of {@link Blobs}, up to its arguments. */
    Words call(int xid, int procedure) {
        return call(xid, (int) Blobs.PROGRAM.number(), (int) Blobs.PROGRAM.version(), procedure);
    }

    /** An RPC call without credential, up to its arguments. */
    public Words call(int xid, int program, int version, int procedure) {
        return and(xid, 0, 2, program, version, procedure, 0, 0, 0, 0);
    }

    /** An accepted RPC reply, up to its results. */
    public Words reply(int xid) {
        rpcMessage = words.length;
        return and(xid, 1, 0, 0, 0, 0);
    }

    /** The reply to a call of GET for one item, of which so many bytes are in the call's only Write chunk. */
    static Words placed(int[] call, int credits, int length) {
        return header(call[0], credits, 0)
                .and(0)
                .chunk(used(segment(call, 7), length))
                .and(0, 0)
                .reply(call[0])
                .and(1, length, 1);
    }

    /** The header of a reply of so many bytes in the Reply chunk of a call without other chunks. */
    static Words inReplyChunk(int[] call, int credits, int length) {
        return header(call[0], credits, 1).and(0, 0).chunk(used(segment(call, 8), length));
    }

    /** Variable-length opaque: the number of bytes, the bytes, and zeros up to a multiple of four. */
    public Words counted(ByteBuffer bytes) {
        return and(bytes.remaining()).padded(bytes);
    }

    /** A string: counted ASCII. */
    public Words text(String text) {
        return counted(StandardCharsets.US_ASCII.encode(text));
    }

    /** Fixed-length opaque: the bytes, and zeros up to a multiple of four. */
    public Words padded(ByteBuffer bytes) {
        ByteBuffer padded = ByteBuffer.allocate((bytes.remaining() + 3) / 4 * 4);
        padded.duplicate().put(bytes.duplicate());
        return and(of(padded));
    }

    /** Fills in the xid: the first word, and the first of an RPC message that {@link #reply} wrote with the xid 0. */
    Words withXid(int xid) {
        words[0] = xid;
        if (rpcMessage >= 0) {
            words[rpcMessage] = xid;
        }
        return this;
    }

    /** A segment of the call, returned with the number of bytes used. */
    public static RemoteSegment used(RemoteSegment offered, int length) {
        return new RemoteSegment(offered.stag(), offered.offset(), length);
    }

    /** The bytes in direct memory, which can be registered. */
    public ByteBuffer bytes() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(4 * words.length);
        bytes.asIntBuffer().put(words);
        return bytes;
    }

    /** Reads the segment at a word of a message, as {@link #and(RemoteSegment)} writes it. */
    public static RemoteSegment segment(int[] message, int at) {
        long offset = (long) message[at + 2] << 32 | Integer.toUnsignedLong(message[at + 3]);
        return new RemoteSegment(message[at], offset, Integer.toUnsignedLong(message[at + 1]));
    }

    /** The words of a message. */
    public static int[] of(ByteBuffer message) {
        if (message.remaining() % 4 != 0) {
            throw new AssertionError("a message has " + message.remaining() + " bytes, not a multiple of four");
        }
        int[] words = new int[message.remaining() / 4];
        message.slice().asIntBuffer().get(words);
        return words;
    }
}
