// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import static org.emplace.compiler.capture.Timeline.bytes;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.emplace.compiler.capture.RdmaMessage.Chunk;

/** An RPC message without its chunks. Positions count in the whole message, including chunks and their padding. */
final class MessageStream {
    private final ByteBuffer inline;
    /** The Read chunks still ahead, by position. */
    private final NavigableMap<Long, Chunk> chunks = new TreeMap<>();

    private long position;

    /** @param chunks the Read chunks; a Position Zero Read chunk is ignored, because it has the message itself */
    MessageStream(ByteBuffer inline, List<Chunk> chunks) {
        this.inline = inline.slice();
        chunks.forEach(chunk -> this.chunks.put(chunk.position(), chunk));
        this.chunks.remove(0L);
    }

    /** A message does not match its definition. */
    static class Undecodable extends Exception {
        private static final long serialVersionUID = 1L;

        Undecodable(String format, Object... arguments) {
            super(Timeline.text(format, arguments));
        }
    }

    /** A chunk is in the middle of an item. */
    static final class Misplaced extends Undecodable {
        private static final long serialVersionUID = 1L;
        private final long position;

        Misplaced(long position) {
            super("position %,d", position);
            this.position = position;
        }

        long position() {
            return position;
        }
    }

    long position() {
        return position;
    }

    /** The most bytes that can remain. */
    long remaining() {
        return inline.remaining()
                + chunks.values().stream()
                        .mapToLong(chunk -> padded(chunk.length()))
                        .sum();
    }

    /** How many bytes of the message itself are unread. */
    int remainingInline() {
        return inline.remaining();
    }

    Iterable<Long> chunksAhead() {
        return chunks.keySet();
    }

    int readInt() throws Undecodable {
        skip(4);
        return inline.getInt(inline.position() - 4);
    }

    long readCount(long most) throws Undecodable {
        long count = Integer.toUnsignedLong(readInt());
        if (count > most) {
            throw new Undecodable("at position %,d a count is %,d; at most %,d is allowed", position - 4, count, most);
        }
        return count;
    }

    void skip(long length) throws Undecodable {
        if (length > 0 && !chunks.isEmpty() && chunks.firstKey() < position + length) {
            throw new Misplaced(chunks.firstKey());
        }
        if (length > inline.remaining()) {
            throw new Undecodable(
                    "it ends %s too early, at position %,d",
                    bytes(length - inline.remaining()), position + inline.remaining());
        }
        inline.position(inline.position() + (int) length);
        position += length;
    }

    boolean isAtChunk() {
        return !chunks.isEmpty() && chunks.firstKey() == position;
    }

    /** Skips the chunk at this position. @return its length */
    long skipChunk() {
        long length = chunks.pollFirstEntry().getValue().length();
        advance(length);
        return length;
    }

    /** Skips bytes that a chunk carries, with their padding. */
    void advance(long length) {
        position += padded(length);
    }

    static long padded(long length) {
        return (length + 3) & ~3L;
    }

    /** Whether a chunk has the length of its item, with or without padding. True if the item's length is unknown (negative). */
    static boolean isCount(long length, long carried) {
        return length < 0 || carried == length || carried == padded(length);
    }
}
