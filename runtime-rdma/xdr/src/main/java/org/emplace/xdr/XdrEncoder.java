// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes values in XDR (RFC 4506) into a transport's buffer. Payloads are not copied: their place is marked, and the transport either
 * gathers them or moves them as chunks. Used by one thread.
 */
public final class XdrEncoder {

    /** Provides the buffers that an encoder writes into. */
    @FunctionalInterface
    public interface Grower {
        /**
         * Called for the first buffer, and whenever the present one is full.
         *
         * @param full the buffer to replace, its position after the last byte written; null at first
         * @param minimumCapacity bytes that the new buffer has to hold, those before its position included
         * @return a big-endian buffer with the contents of {@code full} from 0 up to its position copied over and the same position;
         *     at first the message begins at its position, and the transport may put a header of its own before it
         */
        ByteBuffer grow(@Nullable ByteBuffer full, int minimumCapacity);
    }

    private static final int FIRST_CAPACITY = 512;
    private static final int NO_ITEM = -1;

    /** Numbers from which on it pays to copy an array through a view of the buffer, which is an object. */
    private static final int BULK = 16;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Grower buffers;
    private int start;
    private List<ChunkMark> marks = List.of();
    private ByteBuffer out;

    /** Where the next byte goes in {@link #out}, whose own position stays behind: to keep up both would cost a fifth more. */
    private int position;

    private long payloadBytes;
    private boolean eligible = true;
    private int itemStart = NO_ITEM;

    /** An encoder into buffers of the transport. */
    public XdrEncoder(Grower buffers) {
        this.buffers = buffers;
        this.out = buffers.grow(null, FIRST_CAPACITY);
        this.start = out.position();
        this.position = start;
    }

    /** Forgets everything and begins another message, in a first buffer anew: for a transport that writes many. */
    public void restart() {
        out = buffers.grow(null, FIRST_CAPACITY);
        start = out.position();
        position = start;
        marks = List.of();
        payloadBytes = 0;
        eligible = true;
        itemStart = NO_ITEM;
    }

    /** An encoder into heap memory that grows as needed. */
    public static XdrEncoder onHeap() {
        return new XdrEncoder(XdrEncoder::growOnHeap);
    }

    private static ByteBuffer growOnHeap(@Nullable ByteBuffer full, int minimumCapacity) {
        if (full == null) {
            return ByteBuffer.allocate(minimumCapacity);
        }
        long doubled = Math.min(2L * full.capacity(), Integer.MAX_VALUE - 8);
        return ByteBuffer.allocate(Math.max(minimumCapacity, (int) doubled)).put(full.flip());
    }

    /** Bytes in the stream so far; the bytes of payloads are not in it. */
    public int position() {
        return position - start;
    }

    /** Bytes of the unreduced message so far: payloads and their padding counted. */
    public long streamPosition() {
        return position() + payloadBytes;
    }

    /**
     * Says whether items written from here on may become chunks; true at first. Where they may not, payloads are still marked, so that
     * they can be gathered.
     */
    public XdrEncoder eligible(boolean mayBecomeChunks) {
        this.eligible = mayBecomeChunks;
        return this;
    }

    /** Writes an {@code int}, or the value of an {@code enum}. */
    public void writeInt(int value) {
        int at = claim(4);
        out.putInt(at, value);
    }

    /**
     * Writes an {@code unsigned int}.
     *
     * @throws IllegalArgumentException outside 0 to 2³²-1
     */
    public void writeUnsignedInt(long value) {
        writeInt((int) XdrBounds.unsignedInt(value, "the value to encode"));
    }

    /** Writes a {@code hyper}. */
    public void writeHyper(long value) {
        int at = claim(8);
        out.putLong(at, value);
    }

    /** Writes an {@code unsigned hyper}, given as its 64 bits. */
    public void writeUnsignedHyper(long bits) {
        writeHyper(bits);
    }

    /** Writes a {@code float}. */
    public void writeFloat(float value) {
        writeInt(Float.floatToRawIntBits(value));
    }

    /** Writes a {@code double}. */
    public void writeDouble(double value) {
        writeHyper(Double.doubleToRawLongBits(value));
    }

    /** Writes a {@code quadruple}. */
    public void writeQuadruple(XdrQuadruple value) {
        writeHyper(value.high());
        writeHyper(value.low());
    }

    /** Writes a {@code bool}. */
    public void writeBoolean(boolean value) {
        writeInt(value ? 1 : 0);
    }

    /** Writes a variable-length {@code opaque}: count, bytes, padding. */
    public void writeOpaque(XdrOpaque value) {
        writeInt(value.length());
        writeFixedOpaque(value);
    }

    /** Writes a fixed-length {@code opaque}: bytes, padding. */
    public void writeFixedOpaque(XdrOpaque value) {
        writeBytes(value.owned());
    }

    /** Writes a {@code string}: count, bytes, padding. */
    public void writeString(XdrString value) {
        writeInt(value.length());
        writeBytes(value.owned());
    }

    /** Writes a variable-length payload: the count into the stream, a mark for the bytes. */
    public void writePayload(Payload value) {
        writeUnsignedInt(value.length());
        writeFixedPayload(value);
    }

    /** Writes a payload of fixed length: a mark for the bytes. */
    public void writeFixedPayload(Payload value) {
        if (itemStart != NO_ITEM) {
            copy(value);
            return;
        }
        mark(new PayloadMark(position(), value, eligible));
        payloadBytes += EncodedMessage.roundUp(value.length());
    }

    /**
     * Writes the payload of a variable-length array of numbers: the count of the elements into the stream, a mark for the bytes.
     *
     * @param elementSize bytes that an element takes
     */
    public void writeArrayPayload(Payload value, int elementSize) {
        writeUnsignedInt(value.length() / elementSize);
        writeFixedPayload(value);
    }

    private void mark(ChunkMark item) {
        if (marks.isEmpty()) {
            marks = new ArrayList<>();
        }
        marks.add(item);
    }

    /** An item that moves as a whole has to hold its payloads' bytes itself. */
    private void copy(Payload value) {
        ByteBuffer bytes;
        try {
            bytes = value.buffer();
        } catch (IOException failure) {
            throw new UncheckedIOException("a payload inside an item could not be fetched", failure);
        }
        int at = claimBytes(bytes.remaining());
        out.put(at, bytes, bytes.position(), bytes.remaining());
    }

    /**
     * Begins an eligible item other than bytes: what is written up to {@link #endItem} moves as one chunk or stays as a whole. Its count
     * or flag, if it has one, was written before. Items do not nest.
     */
    public void beginItem() {
        if (itemStart != NO_ITEM) {
            throw new IllegalStateException("an eligible item was begun inside another");
        }
        itemStart = position();
    }

    /** Ends the item that {@link #beginItem} began. */
    public void endItem() {
        if (itemStart == NO_ITEM) {
            throw new IllegalStateException("no eligible item was begun");
        }
        mark(new RangeMark(itemStart, position() - itemStart, eligible));
        itemStart = NO_ITEM;
    }

    /** Writes a variable-length array: count, elements. */
    public <T> void writeArray(List<T> values, XdrWriter<? super T> writer) {
        writeInt(values.size());
        writeFixedArray(values, writer);
    }

    /** Writes a fixed-length array: the elements. */
    public <T> void writeFixedArray(List<T> values, XdrWriter<? super T> writer) {
        for (T value : values) {
            writer.write(this, value);
        }
    }

    /** Writes an eligible item other than bytes: what {@code writer} writes moves as one chunk or stays as a whole. */
    public <T> void writeItem(T value, XdrWriter<? super T> writer) {
        beginItem();
        writer.write(this, value);
        endItem();
    }

    /** Writes an eligible variable-length array: the count, and the elements as one item. */
    public <T> void writeArrayItem(List<T> values, XdrWriter<? super T> writer) {
        writeInt(values.size());
        beginItem();
        writeFixedArray(values, writer);
        endItem();
    }

    /** Writes the elements of an array of numbers that take four bytes each. */
    void writeWords(int[] words) {
        int bytes = Math.multiplyExact(Integer.BYTES, words.length);
        int at = claim(bytes);
        if (words.length < BULK) {
            for (int i = 0; i < words.length; i++) {
                out.putInt(at + i * Integer.BYTES, words[i]);
            }
        } else {
            out.slice(at, bytes).asIntBuffer().put(words);
        }
    }

    /** Writes the elements of an array of numbers that take eight bytes each. */
    void writeDoubleWords(long[] words) {
        int bytes = Math.multiplyExact(Long.BYTES, words.length);
        int at = claim(bytes);
        if (words.length < BULK) {
            for (int i = 0; i < words.length; i++) {
                out.putLong(at + i * Long.BYTES, words[i]);
            }
        } else {
            out.slice(at, bytes).asLongBuffer().put(words);
        }
    }

    /** Writes optional-data (RFC 4506 section 4.19). */
    public <T> void writeOptional(Optional<T> value, XdrWriter<? super T> writer) {
        writeBoolean(value.isPresent());
        if (value.isPresent()) {
            writer.write(this, value.get());
        }
    }

    /** Writes a linked list: each element after a true flag, a false one at the end. */
    public <T> void writeLinkedList(List<T> values, XdrWriter<? super T> writer) {
        for (T value : values) {
            writeBoolean(true);
            writer.write(this, value);
        }
        writeBoolean(false);
    }

    /** Writes a linked list as its first element, which leads to the others: no flag before it. */
    public <T> void writeNonEmptyLinkedList(List<T> values, XdrWriter<? super T> writer) {
        writer.write(this, values.get(0));
        writeLinkedList(values.subList(1, values.size()), writer);
    }

    /** The message. The encoder must not be used afterwards, except by {@link #restart}. */
    public EncodedMessage finish() {
        if (itemStart != NO_ITEM) {
            throw new IllegalStateException("an eligible item was begun but not ended");
        }
        EncodedMessage message = new EncodedMessage(out, start, position(), marks);
        // An encoder that is kept for other messages keeps nothing of this one.
        out = NOTHING;
        marks = List.of();
        return message;
    }

    private void writeBytes(byte[] bytes) {
        int at = claimBytes(bytes.length);
        out.put(at, bytes);
    }

    /** Claims so many bytes and their padding, and writes the word that the padding is in. Returns where the bytes go. */
    private int claimBytes(int length) {
        int padding = XdrPadding.after(length);
        int padded = Math.addExact(length, padding);
        int at = claim(padded);
        if (padding > 0) {
            out.putInt(at + padded - 4, 0);
        }
        return at;
    }

    /** Moves the position on by so many bytes, for which there is room then. Returns where they go. */
    private int claim(int bytes) {
        int at = position;
        if (out.limit() - at < bytes) {
            out = buffers.grow(out.position(at), Math.addExact(at, bytes));
        }
        position = at + bytes;
        return at;
    }
}
