// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import static org.emplace.compiler.capture.Timeline.bytes;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.emplace.compiler.capture.MessageStream.Undecodable;

/**
 * An RPC-over-RDMA message (RFC 8166 section 4). The header is decoded by hand, because only these fields are needed.
 *
 * @param reads the Read chunks: segments with the same position are one chunk
 * @param error the content of RDMA_ERROR
 * @param inline the bytes after the header
 */
record RdmaMessage(
        int xid,
        long credits,
        Type type,
        List<Chunk> reads,
        List<Chunk> writes,
        Optional<Chunk> reply,
        String error,
        ByteBuffer inline) {

    static final int VERSION = 1;
    private static final int SEGMENT = 16;

    enum Type {
        RDMA_MSG,
        RDMA_NOMSG,
        RDMA_MSGP,
        RDMA_DONE,
        RDMA_ERROR
    }

    record Segment(int handle, long length, long offset) {
        /** Whether another begins in it. */
        boolean has(Segment other) {
            long at = other.offset - offset;
            return handle == other.handle && at >= 0 && at < length;
        }

        @Override
        public String toString() {
            return Timeline.text("handle 0x%08x, offset 0x%x, %s", handle, offset, bytes(length));
        }
    }

    /** @param position the position of a Read chunk; 0 for other chunks */
    record Chunk(String name, long position, List<Segment> segments) {
        long length() {
            return segments.stream().mapToLong(Segment::length).sum();
        }
    }

    /** Whether bytes look like a message of this version. */
    static boolean isLikely(ByteBuffer bytes) {
        return bytes.remaining() >= 16 && bytes.getInt(4) == VERSION && (bytes.getInt(12) & ~7) == 0;
    }

    static RdmaMessage of(ByteBuffer bytes) throws Undecodable {
        try {
            return read(bytes.duplicate());
        } catch (BufferUnderflowException e) {
            throw new Undecodable("the header is cut short: the message has %,d bytes", bytes.remaining());
        }
    }

    private static RdmaMessage read(ByteBuffer in) throws Undecodable {
        int xid = in.getInt();
        int version = in.getInt();
        long credits = Integer.toUnsignedLong(in.getInt());
        int number = in.getInt();
        if (version != VERSION) {
            throw new Undecodable("the version is %s", Integer.toUnsignedString(version));
        }
        if (number < 0 || number >= Type.values().length) {
            throw new Undecodable("the message type is %s", Integer.toUnsignedString(number));
        }
        Type type = Type.values()[number];
        if (type == Type.RDMA_MSGP) {
            in.getLong();
        }
        boolean hasChunks = type != Type.RDMA_ERROR && type != Type.RDMA_DONE;
        return new RdmaMessage(
                xid,
                credits,
                type,
                hasChunks ? reads(in) : List.of(),
                hasChunks ? writes(in) : List.of(),
                hasChunks && another(in) ? Optional.of(new Chunk("Reply chunk", 0, segments(in))) : Optional.empty(),
                type == Type.RDMA_ERROR ? error(in) : "",
                in.slice());
    }

    private static List<Chunk> reads(ByteBuffer in) throws Undecodable {
        Map<Long, List<Segment>> chunks = new LinkedHashMap<>();
        while (another(in)) {
            long position = Integer.toUnsignedLong(in.getInt());
            chunks.computeIfAbsent(position, any -> new ArrayList<>()).add(segment(in));
        }
        return chunks.entrySet().stream()
                .map(chunk -> new Chunk(readChunk(chunk.getKey()), chunk.getKey(), List.copyOf(chunk.getValue())))
                .toList();
    }

    private static String readChunk(long position) {
        return position == 0 ? "Position Zero Read chunk" : Timeline.text("Read chunk at position %,d", position);
    }

    private static List<Chunk> writes(ByteBuffer in) throws Undecodable {
        List<Chunk> chunks = new ArrayList<>();
        while (another(in)) {
            chunks.add(new Chunk("Write chunk " + (chunks.size() + 1), 0, segments(in)));
        }
        return List.copyOf(chunks);
    }

    private static boolean another(ByteBuffer in) throws Undecodable {
        int flag = in.getInt();
        if (flag != 0 && flag != 1) {
            throw new Undecodable("at byte %d a flag is %s", in.position() - 4, Integer.toUnsignedString(flag));
        }
        return flag == 1;
    }

    private static List<Segment> segments(ByteBuffer in) throws Undecodable {
        int count = in.getInt();
        if (count < 0 || count > in.remaining() / SEGMENT) {
            throw new Undecodable(
                    "a chunk has %s segments, but the message ends before", Integer.toUnsignedString(count));
        }
        return Stream.generate(() -> segment(in)).limit(count).toList();
    }

    private static Segment segment(ByteBuffer in) {
        return new Segment(in.getInt(), Integer.toUnsignedLong(in.getInt()), in.getLong());
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

    boolean hasMessage() {
        return type == Type.RDMA_MSG || type == Type.RDMA_MSGP;
    }
}
