// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.emplace.xdr.ChunkMark.PayloadMark;
import org.emplace.xdr.ChunkMark.RangeMark;

/**
 * Writes values in XDR (RFC 4506) into an array that grows as needed. The finished message goes into a transport's memory. Payloads are not copied: their place is
 * marked, and the transport either gathers them or moves them as chunks. Used by one thread.
 */
public final class XdrEncoder {

    /** Where a transport sends messages from. */
    @FunctionalInterface
    public interface Memory {
        /**
         * Called with each finished message.
         *
         * @param message the message from 0 on; the encoder writes the next one over it
         * @param length bytes of the message
         * @return a big-endian buffer that has the message from its position on
         */
        ByteBuffer place(byte[] message, int length);
    }

    /** The array itself, which the encoder then gives up. */
    private static final Memory HEAP = (message, length) -> ByteBuffer.wrap(message, 0, length);

    private static final VarHandle INT = XdrNumbers.INT;
    private static final VarHandle LONG = XdrNumbers.LONG;
    private static final int FIRST_CAPACITY = 512;

    /** The largest array that is kept for the next message. */
    private static final int KEPT_CAPACITY = 1 << 15;

    private static final int NO_ITEM = -1;
    private static final byte[] NOTHING = {};

    private final Memory memory;

    /**
     * An array, even if the message goes into a buffer in the end: the JVM's compiler writes several numbers in a row into an array in a fraction of the time that a buffer takes, whose
     * kind it has to find out for each.
     */
    private byte[] bytes = NOTHING;

    private int position;
    private List<ChunkMark> marks = List.of();
    private long payloadBytes;
    private boolean eligible = true;
    private int itemStart = NO_ITEM;

    /** An encoder of messages that go into a transport's memory. */
    public XdrEncoder(Memory memory) {
        this.memory = memory;
    }

    /** Forgets everything and begins another message: for a transport that writes many. */
    public void restart() {
        position = 0;
        marks = List.of();
        payloadBytes = 0;
        eligible = true;
        itemStart = NO_ITEM;
    }

    /** An encoder of messages that stay in heap memory. */
    public static XdrEncoder onHeap() {
        return new XdrEncoder(HEAP);
    }

    /** Bytes in the stream so far; the bytes of payloads are not in it. */
    public int position() {
        return position;
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
        int at = claim(Integer.BYTES);
        INT.set(bytes, at, value);
    }

    /**
     * Writes an {@code unsigned int}.
     *
     * @throws IllegalArgumentException outside 0 to 2³²-1
     */
    public void writeUnsignedInt(long value) {
        writeInt((int) XdrBounds.unsignedInt(value, "the value to encode"));
    }

    /** Writes two {@code int}s in hardly more time than one. */
    public void writeInts(int first, int second) {
        writeHyper((long) first << Integer.SIZE | Integer.toUnsignedLong(second));
    }

    /**
     * Writes two {@code unsigned int}s.
     *
     * @throws IllegalArgumentException if one is outside 0 to 2³²-1
     */
    public void writeUnsignedInts(long first, long second) {
        if ((first | second) >>> Integer.SIZE != 0) {
            throw new IllegalArgumentException("not two unsigned 32-bit numbers: " + first + ", " + second);
        }
        writeHyper(first << Integer.SIZE | second);
    }

    /** Writes a {@code hyper}. */
    public void writeHyper(long value) {
        int at = claim(Long.BYTES);
        LONG.set(bytes, at, value);
    }

    /** Writes two {@code hyper}s. */
    public void writeHypers(long first, long second) {
        int at = claim(2 * Long.BYTES);
        LONG.set(bytes, at, first);
        LONG.set(bytes, at + Long.BYTES, second);
    }

    /** Writes an {@code unsigned hyper}, given as its 64 bits. */
    public void writeUnsignedHyper(long bits) {
        writeHyper(bits);
    }

    /** Writes two {@code unsigned hyper}s, given as their 64 bits. */
    public void writeUnsignedHypers(long first, long second) {
        writeHypers(first, second);
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
        writeCounted(value.owned());
    }

    /** Writes a fixed-length {@code opaque}: bytes, padding. */
    public void writeFixedOpaque(XdrOpaque value) {
        writeBytes(value.owned());
    }

    /** Writes a {@code string}: count, bytes, padding. */
    public void writeString(XdrString value) {
        writeCounted(value.owned());
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
            marks = new ArrayList<>(1);
        }
        marks.add(item);
    }

    /** An item that moves as a whole has to hold its payloads' bytes itself. */
    private void copy(Payload value) {
        ByteBuffer payload;
        try {
            payload = value.buffer();
        } catch (IOException failure) {
            throw new UncheckedIOException("a payload inside an item could not be fetched", failure);
        }
        int length = payload.remaining();
        int at = claimBytes(0, length);
        payload.get(bytes, at, length);
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

    /**
     * Appends a whole message that another encoder made, with its marks. Its payloads are not copied.
     */
    public void writeMessage(EncodedMessage message) {
        int length = message.streamLength();
        int at = claim(length);
        message.stream().get(bytes, at, length);
        for (ChunkMark each : message.marks()) {
            mark(each.behind(at));
        }
        payloadBytes += message.unreducedLength() - length;
    }

    /** The message. The encoder must not be used after this, except by {@link #restart}. */
    public EncodedMessage finish() {
        if (itemStart != NO_ITEM) {
            throw new IllegalStateException("an eligible item was begun but not ended");
        }
        ByteBuffer placed = memory.place(bytes, position);
        EncodedMessage message = new EncodedMessage(placed, placed.position(), position, marks);
        // An encoder that is kept for other messages keeps nothing of this one, and no more memory than most need.
        if (memory == HEAP || bytes.length > KEPT_CAPACITY) {
            bytes = NOTHING;
        }
        marks = List.of();
        return message;
    }

    /** Writes bytes and their padding. */
    void writeBytes(byte[] value) {
        int at = claimBytes(0, value.length);
        System.arraycopy(value, 0, bytes, at, value.length);
    }

    /** Writes the number of the bytes before them. */
    private void writeCounted(byte[] value) {
        int at = claimBytes(Integer.BYTES, value.length);
        INT.set(bytes, at, value.length);
        System.arraycopy(value, 0, bytes, at + Integer.BYTES, value.length);
    }

    /** Claims so many bytes, those before them, and their padding, which is written. Returns where the bytes before them go. */
    private int claimBytes(int before, int length) {
        int padding = EncodedMessage.padding(length);
        int at = claim(Math.addExact(before + padding, length));
        if (padding > 0) {
            INT.set(bytes, position - Integer.BYTES, 0);
        }
        return at;
    }

    /** Moves the position on by so many bytes, for which there is room then. Returns where they go. */
    private int claim(int count) {
        int at = position;
        if (bytes.length - at < count) {
            grow(count);
        }
        position = at + count;
        return at;
    }

    private void grow(int count) {
        long doubled = Math.min(2L * bytes.length, Integer.MAX_VALUE - 8);
        int needed = Math.max(Math.addExact(position, count), FIRST_CAPACITY);
        bytes = Arrays.copyOf(bytes, Math.max(needed, (int) doubled));
    }
}
