// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** An RPC message from which chunks were taken out. Positions count in the whole message, chunks with their padding included. */
final class MessageStream {
    private final ByteBuffer inline;
    /** Lengths by position, of the Read chunks that have not been passed. */
    private final NavigableMap<Long, Long> holes;

    private long position;

    /**
     * @param inline what is left of the message
     * @param holes the lengths of what was taken out, by position
     */
    MessageStream(ByteBuffer inline, Map<Long, Long> holes) {
        this.inline = inline.slice();
        this.holes = new TreeMap<>(holes);
    }

    /** A message that is not as its definition says. */
    static final class Undecodable extends Exception {
        private static final long serialVersionUID = 1L;

        Undecodable(String what) {
            super(what);
        }
    }

    /** A chunk was taken out of the middle of something. */
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

    /** How many bytes there are at most before the end. */
    long remaining() {
        return inline.remaining()
                + holes.values().stream().mapToLong(MessageStream::padded).sum();
    }

    /** What of the message itself has not been read. */
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
                    "at position %,d a count is %,d, and %,d are allowed".formatted(position - 4, count, most));
        }
        return count;
    }

    /** Passes bytes. */
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

    /** Whether a chunk was taken out here. */
    boolean isAtChunk() {
        return !holes.isEmpty() && holes.firstKey() == position;
    }

    /** Passes the chunk that was taken out here. @return its length */
    long skipChunk() {
        Map.Entry<Long, Long> hole = holes.pollFirstEntry();
        position += padded(hole.getValue());
        return hole.getValue();
    }

    /** Passes something that is elsewhere. */
    void advance(long length) {
        position += padded(length);
    }

    static long padded(long length) {
        return (length + 3) & ~3L;
    }
}
