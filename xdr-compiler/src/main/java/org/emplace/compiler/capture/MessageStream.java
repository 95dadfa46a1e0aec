// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** An RPC message without its chunks. Positions count in the whole message, including chunks and their padding. */
final class MessageStream {
    private final ByteBuffer inline;
    /** Lengths of the Read chunks still ahead, by position. */
    private final NavigableMap<Long, Long> holes;

    private long position;

    /**
     * @param inline the message without its chunks
     * @param holes the lengths of the chunks, by position
     */
    MessageStream(ByteBuffer inline, Map<Long, Long> holes) {
        this.inline = inline.slice();
        this.holes = new TreeMap<>(holes);
    }

    /** A message that does not match its definition. */
    static final class Undecodable extends Exception {
        private static final long serialVersionUID = 1L;

        Undecodable(String what) {
            super(what);
        }
    }

    /** A chunk is in the middle of an item. */
    static final class Misplaced extends Exception {
        private static final long serialVersionUID = 1L;
        private final long position;

        Misplaced(long position) {
            super("position " + position);
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
                + holes.values().stream().mapToLong(MessageStream::padded).sum();
    }

    /** The unread bytes of the message itself. */
    int remainingInline() {
        return inline.remaining();
    }

    /** The positions of chunks that have not been reached. */
    Iterable<Long> chunksAhead() {
        return holes.keySet();
    }

    int readInt() throws Undecodable, Misplaced {
        skip(4);
        return inline.getInt(inline.position() - 4);
    }

    /** Reads the count of bytes or elements. */
    long readCount(long most) throws Undecodable, Misplaced {
        long count = Integer.toUnsignedLong(readInt());
        if (count > most) {
            throw new Undecodable(
                    "at position %,d a count is %,d; at most %,d is allowed".formatted(position - 4, count, most));
        }
        return count;
    }

    /** Skips bytes. */
    void skip(long length) throws Undecodable, Misplaced {
        if (length == 0) {
            return;
        }
        if (!holes.isEmpty() && holes.firstKey() < position + length) {
            throw new Misplaced(holes.firstKey());
        }
        if (length > inline.remaining()) {
            throw new Undecodable("it ends %,d bytes too early, at position %,d"
                    .formatted(length - inline.remaining(), position + inline.remaining()));
        }
        inline.position(inline.position() + (int) length);
        position += length;
    }

    /** Whether a chunk is here. */
    boolean isAtChunk() {
        return !holes.isEmpty() && holes.firstKey() == position;
    }

    /** Skips the chunk that is here. @return its length */
    long skipChunk() {
        Map.Entry<Long, Long> hole = holes.pollFirstEntry();
        position += padded(hole.getValue());
        return hole.getValue();
    }

    /** Skips bytes that are elsewhere. */
    void advance(long length) {
        position += padded(length);
    }

    static long padded(long length) {
        return (length + 3) & ~3L;
    }
}
