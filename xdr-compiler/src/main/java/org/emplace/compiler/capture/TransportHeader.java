// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The header of an RPC-over-RDMA message (RFC 8166 section 4). It is read by hand, because only these fields are needed.
 *
 * @param type one of the five
 * @param reads the segments of the Read list
 * @param writes the Write list, each chunk with its segments
 * @param reply the Reply chunk
 * @param error what RDMA_ERROR says
 * @param length of the header in bytes
 */
record TransportHeader(
        int xid,
        int version,
        long credits,
        Type type,
        List<ReadSegment> reads,
        List<List<Segment>> writes,
        Optional<List<Segment>> reply,
        String error,
        int length) {

    static final int VERSION = 1;
    private static final int SEGMENT = 16;

    enum Type {
        RDMA_MSG,
        RDMA_NOMSG,
        RDMA_MSGP,
        RDMA_DONE,
        RDMA_ERROR
    }

    /** A range of memory. */
    record Segment(int handle, long length, long offset) {
        @Override
        public String toString() {
            return "handle 0x%08x, offset 0x%x, %,d bytes".formatted(handle, offset, length);
        }
    }

    record ReadSegment(long position, Segment target) {}

    /** A message that does not begin with a header. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;

        Malformed(String what) {
            super(what);
        }
    }

    /** Whether bytes look like a header of this version. */
    static boolean isLikely(ByteBuffer bytes) {
        return bytes.remaining() >= 16 && bytes.getInt(4) == VERSION && (bytes.getInt(12) & ~7) == 0;
    }

    /** Reads a header. */
    static TransportHeader of(ByteBuffer message) throws Malformed {
        ByteBuffer in = message.duplicate();
        try {
            return read(in);
        } catch (BufferUnderflowException e) {
            throw new Malformed("the header is cut short: the message has " + message.remaining() + " bytes");
        }
    }

    private static TransportHeader read(ByteBuffer in) throws Malformed {
        int xid = in.getInt();
        int version = in.getInt();
        long credits = Integer.toUnsignedLong(in.getInt());
        int number = in.getInt();
        if (version != VERSION) {
            throw new Malformed("the version is " + Integer.toUnsignedString(version));
        }
        if (number < 0 || number >= Type.values().length) {
            throw new Malformed("the message type is " + Integer.toUnsignedString(number));
        }
        Type type = Type.values()[number];
        List<ReadSegment> reads = new ArrayList<>();
        List<List<Segment>> writes = new ArrayList<>();
        Optional<List<Segment>> reply = Optional.empty();
        String error = "";
        if (type == Type.RDMA_ERROR) {
            error = error(in);
        } else if (type != Type.RDMA_DONE) {
            if (type == Type.RDMA_MSGP) {
                in.getLong();
            }
            while (another(in)) {
                reads.add(new ReadSegment(Integer.toUnsignedLong(in.getInt()), segment(in)));
            }
            while (another(in)) {
                writes.add(segments(in));
            }
            if (another(in)) {
                reply = Optional.of(segments(in));
            }
        }
        return new TransportHeader(
                xid, version, credits, type, List.copyOf(reads), List.copyOf(writes), reply, error, in.position());
    }

    private static String error(ByteBuffer in) {
        int code = in.getInt();
        return switch (code) {
            case 1 ->
                "ERR_VERS, versions %s to %s"
                        .formatted(Integer.toUnsignedString(in.getInt()), Integer.toUnsignedString(in.getInt()));
            case 2 -> "ERR_CHUNK";
            default -> "error " + Integer.toUnsignedString(code);
        };
    }

    private static boolean another(ByteBuffer in) throws Malformed {
        int flag = in.getInt();
        if (flag != 0 && flag != 1) {
            throw new Malformed("at byte " + (in.position() - 4) + " a flag is " + Integer.toUnsignedString(flag));
        }
        return flag == 1;
    }

    private static List<Segment> segments(ByteBuffer in) throws Malformed {
        int count = in.getInt();
        if (count < 0 || count > in.remaining() / SEGMENT) {
            throw new Malformed("a chunk has " + Integer.toUnsignedString(count) + " segments, but the message ends");
        }
        List<Segment> segments = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            segments.add(segment(in));
        }
        return List.copyOf(segments);
    }

    private static Segment segment(ByteBuffer in) {
        return new Segment(in.getInt(), Integer.toUnsignedLong(in.getInt()), in.getLong());
    }

    /** The Read chunks, by position: segments of one position are one chunk. */
    Map<Long, List<Segment>> readChunks() {
        Map<Long, List<Segment>> chunks = new LinkedHashMap<>();
        reads.forEach(read -> chunks.computeIfAbsent(read.position(), any -> new ArrayList<>())
                .add(read.target()));
        return chunks;
    }

    static long length(List<Segment> chunk) {
        return chunk.stream().mapToLong(Segment::length).sum();
    }

    /** Whether an RPC message follows it. */
    boolean hasMessage() {
        return type == Type.RDMA_MSG || type == Type.RDMA_MSGP;
    }
}
