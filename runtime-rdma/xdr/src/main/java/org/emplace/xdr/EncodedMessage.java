// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.emplace.xdr.EncodedMessage.ChunkMark.PayloadMark;

/**
 * An encoded message: the XDR stream without the bytes of payloads, and a mark for each item that may become a chunk. A
 * transport without chunks sends {@link #unreduced}. The stream is in the memory that {@link XdrEncoder.Memory#place}
 * returned, and valid as long as that memory.
 */
public final class EncodedMessage {
    private static final ByteBuffer ZEROS = ByteBuffer.allocate(3).asReadOnlyBuffer();

    private final ByteBuffer memory;
    private final int start;
    private final int length;
    private final List<ChunkMark> marks;

    EncodedMessage(ByteBuffer memory, int start, int length, List<ChunkMark> marks) {
        this.memory = memory;
        this.start = start;
        this.length = length;
        this.marks = List.copyOf(marks);
    }

    /** Returns a new view of the stream, with position 0 and limit {@link #streamLength}. */
    public ByteBuffer stream() {
        return memory.slice(start, length);
    }

    /** The length of the stream in bytes. */
    public int streamLength() {
        return length;
    }

    /**
     * Returns the rest of this message from an offset on, with its payloads. Copies nothing.
     *
     * @param offset not inside an item, and with no payload before it
     */
    public EncodedMessage from(int offset) {
        return new EncodedMessage(
                memory,
                start + offset,
                length - offset,
                marks.stream().map(each -> each.shiftedBy(-offset)).toList());
    }

    /** The marks in stream order; at the same offset, in the order of the items. Unmodifiable. */
    public List<ChunkMark> marks() {
        return marks;
    }

    /** Rounds a length up to a multiple of four: the length with XDR padding (RFC 4506 section 3). */
    public static long roundUp(long length) {
        return length + padding(length);
    }

    /** The number of zero bytes that fill an item to a multiple of four (RFC 4506 section 3). */
    static int padding(long length) {
        return (int) (-length & 3);
    }

    /** The length of the whole message in bytes, including all payloads and their padding. */
    public long unreducedLength() {
        long total = length;
        if (marks.isEmpty()) {
            return total;
        }
        // By index, to avoid allocating an iterator for each message.
        for (int i = 0; i < marks.size(); i++) {
            total += payloadSpace(marks.get(i));
        }
        return total;
    }

    /**
     * The length in bytes of the message without some of its items and their padding.
     *
     * @param items different marks of this message
     */
    public long lengthWithout(List<? extends ChunkMark> items) {
        long left = unreducedLength();
        for (int i = 0; i < items.size(); i++) {
            left -= roundUp(items.get(i).length());
        }
        return left;
    }

    /**
     * The offset of an item in the unreduced message, in bytes (RFC 8166 section 3.4.5).
     *
     * @param mark an element of {@link #marks} itself, not an equal one
     * @throws IllegalArgumentException if the mark is not one of this message
     */
    public long positionOf(ChunkMark mark) {
        long earlierPayloads = 0;
        for (int i = 0; i < marks.size(); i++) {
            ChunkMark each = marks.get(i);
            // Compare by identity: two empty payloads at the same offset have equal marks.
            @SuppressWarnings("ReferenceEquality")
            boolean found = each == mark;
            if (found) {
                return mark.streamOffset() + earlierPayloads;
            }
            earlierPayloads += payloadSpace(each);
        }
        throw new IllegalArgumentException("not a mark of this message: " + mark);
    }

    /**
     * Returns the whole message as a list of buffers to gather: parts of the stream, the payloads' own buffers and
     * padding. Copies nothing.
     *
     * @throws IOException if a payload cannot be fetched from the peer's memory
     */
    public List<ByteBuffer> unreduced() throws IOException {
        ByteBuffer stream = stream();
        if (marks.isEmpty()) {
            return List.of(stream);
        }
        List<ByteBuffer> pieces = new ArrayList<>(1 + 3 * marks.size());
        int done = 0;
        for (ChunkMark mark : marks) {
            if (mark instanceof PayloadMark item) {
                addUnlessEmpty(pieces, stream.slice(done, item.streamOffset() - done));
                Payload payload = item.payload();
                for (int i = 0; i < payload.pieceCount(); i++) {
                    addUnlessEmpty(pieces, payload.piece(i).buffer());
                }
                addUnlessEmpty(pieces, ZEROS.slice(0, padding(item.length())));
                done = item.streamOffset();
            }
        }
        addUnlessEmpty(pieces, stream.slice(done, length - done));
        return pieces;
    }

    private static void addUnlessEmpty(List<ByteBuffer> pieces, ByteBuffer piece) {
        if (piece.hasRemaining()) {
            pieces.add(piece);
        }
    }

    /** The bytes that an item takes in the unreduced message and not in the stream. */
    static long payloadSpace(ChunkMark mark) {
        return mark instanceof PayloadMark ? roundUp(mark.length()) : 0;
    }

    /**
     * Marks a data item of an {@link EncodedMessage}. If the item is eligible, a transport may move it as a chunk instead
     * of in the stream.
     */
    public sealed interface ChunkMark {

        /** The offset in bytes at which the item is, or would be, in {@link EncodedMessage#stream}. */
        int streamOffset();

        /** The length of the item in bytes, without XDR padding. */
        long length();

        /** Whether the Upper Layer Binding makes the item DDP-eligible. */
        boolean eligible();

        /** Returns this mark for a stream with {@code bytes} more bytes before the item. */
        ChunkMark shiftedBy(int bytes);

        /**
         * A payload whose bytes are not in the stream.
         *
         * @param streamOffset offset in the stream at which the bytes and their padding belong
         * @param payload the bytes
         * @param eligible see {@link ChunkMark#eligible}
         */
        record PayloadMark(int streamOffset, Payload payload, boolean eligible) implements ChunkMark {
            @Override
            public long length() {
                return payload.length();
            }

            @Override
            public ChunkMark shiftedBy(int bytes) {
                return new PayloadMark(streamOffset + bytes, payload, eligible);
            }
        }

        /**
         * An item whose encoding is in the stream: any item other than {@code opaque} or {@code string}.
         *
         * @param streamOffset offset of the item in the stream
         * @param length length of its encoding in bytes; a multiple of four
         * @param eligible see {@link ChunkMark#eligible}
         */
        record RangeMark(int streamOffset, long length, boolean eligible) implements ChunkMark {
            @Override
            public ChunkMark shiftedBy(int bytes) {
                return new RangeMark(streamOffset + bytes, length, eligible);
            }
        }
    }
}
