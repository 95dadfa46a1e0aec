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
import org.emplace.xdr.EncodedMessage.ChunkMark;
import org.emplace.xdr.EncodedMessage.ChunkMark.PayloadMark;
import org.emplace.xdr.EncodedMessage.ChunkMark.RangeMark;
import org.emplace.xdr.XdrCodec.Writer;
import org.emplace.xdr.XdrRuntime.Nesting;

/**
 * Encodes values in XDR (RFC 4506) into an array that grows as needed. An application creates one by {@link #onHeap},
 * passes it to {@link XdrValue#encode}, and takes the message from {@link #finish}. A transport gives an encoder the
 * {@link Memory} for its messages. Payloads are not copied: the encoder marks their places, and the transport gathers
 * them or moves them as chunks. Methods that write throw {@link ArithmeticException} if the stream would have more than
 * 2³¹-1 bytes. Used by one thread.
 */
public final class XdrEncoder {

    /** The memory that a transport sends messages from. */
    @FunctionalInterface
    public interface Memory {
        /**
         * Puts a finished message into this memory.
         *
         * @param message an array with the message at index 0; the encoder overwrites it with the next message
         * @param length the length of the message in bytes
         * @return a big-endian buffer with the message at its position
         */
        ByteBuffer place(byte[] message, int length);
    }

    /** Uses the array itself, which the encoder then replaces. */
    private static final Memory HEAP = (message, length) -> ByteBuffer.wrap(message, 0, length);

    private static final VarHandle INT = XdrNumbers.INT;
    private static final VarHandle LONG = XdrNumbers.LONG;
    private static final int FIRST_CAPACITY = 512;

    /** The largest array to keep for the next message, in bytes. */
    private static final int KEPT_CAPACITY = 1 << 15;

    private static final int NO_ITEM = -1;
    private static final byte[] NOTHING = {};

    private Memory memory;

    /**
     * An array even if the message is sent from a buffer: the JVM writes numbers into an array in a fraction of the
     * time, because it need not check the buffer's kind for each.
     */
    private byte[] bytes = NOTHING;

    private int position;
    private List<ChunkMark> marks = List.of();
    private boolean eligible = true;
    private int itemStart = NO_ITEM;
    private int depth;

    /** Creates an encoder of messages that go into a transport's memory. Applications use {@link #onHeap}. */
    public XdrEncoder(Memory memory) {
        this.memory = memory;
    }

    /**
     * Discards what was written and begins another message. For a transport that reuses an encoder.
     *
     * @param into the memory of the new message
     */
    public void restart(Memory into) {
        memory = into;
        position = 0;
        marks = List.of();
        eligible = true;
        itemStart = NO_ITEM;
        depth = 0;
    }

    /** Creates an encoder of messages that stay on the heap. */
    public static XdrEncoder onHeap() {
        return new XdrEncoder(HEAP);
    }

    /**
     * Sets whether items written from here on may become chunks; initially true. If not, payloads are still marked, so
     * that a transport can gather them. Returns this encoder.
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
     * @throws IllegalArgumentException if the value is outside 0 to 2³²-1
     */
    public void writeUnsignedInt(long value) {
        writeInt((int) XdrBounds.unsignedInt(value, "the value to encode"));
    }

    /** Writes two {@code int}s, faster than by two calls of {@link #writeInt}. */
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
            throw new IllegalArgumentException(
                    "one of the values to encode is not an unsigned 32-bit number: " + first + ", " + second);
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

    /** Writes a variable-length payload: its length into the stream, and a mark for its bytes. */
    public void writePayload(Payload value) {
        writeUnsignedInt(value.length());
        writeFixedPayload(value);
    }

    /**
     * Writes a payload of fixed length: a mark for its bytes. Inside an item that {@link #beginItem} began, copies the
     * bytes into the stream instead.
     *
     * @throws UncheckedIOException if bytes to copy cannot be fetched from the peer's memory
     */
    public void writeFixedPayload(Payload value) {
        if (itemStart != NO_ITEM) {
            copy(value);
            return;
        }
        mark(new PayloadMark(position, value, eligible));
    }

    /**
     * Writes the payload of a variable-length array of numbers: the number of elements into the stream, and a mark for
     * the bytes.
     *
     * @param elementSize bytes of an element
     */
    public void writeArrayPayload(Payload value, int elementSize) {
        writeUnsignedInt(value.length() / elementSize);
        writeFixedPayload(value);
    }

    private void mark(ChunkMark item) {
        if (marks.isEmpty()) {
            // Most messages with marks have one.
            marks = List.of(item);
            return;
        }
        if (marks.size() == 1) {
            marks = new ArrayList<>(marks);
        }
        marks.add(item);
    }

    /** Copies a payload into the stream: an item that moves as a whole contains the bytes of its payloads. */
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
     * Begins an eligible item other than {@code opaque} or {@code string}: what is written until {@link #endItem}
     * either moves as one chunk or stays in the stream. Write the item's count or flag, if it has one, before.
     *
     * @throws IllegalStateException if an item has been begun and not ended: items do not nest
     */
    public void beginItem() {
        if (itemStart != NO_ITEM) {
            throw new IllegalStateException("an eligible item was begun inside another; call endItem first");
        }
        itemStart = position;
    }

    /**
     * Ends the item that {@link #beginItem} began.
     *
     * @throws IllegalStateException if no item has been begun
     */
    public void endItem() {
        if (itemStart == NO_ITEM) {
            throw new IllegalStateException("no eligible item was begun; call beginItem first");
        }
        mark(new RangeMark(itemStart, position - itemStart, eligible));
        itemStart = NO_ITEM;
    }

    /** Writes a variable-length array: count, elements. */
    public <T> void writeArray(List<T> values, Writer<? super T> writer) {
        writeInt(values.size());
        writeFixedArray(values, writer);
    }

    /** Writes a fixed-length array: the elements. */
    public <T> void writeFixedArray(List<T> values, Writer<? super T> writer) {
        for (T value : values) {
            writer.write(this, value);
        }
    }

    /** Writes an eligible item other than {@code opaque} or {@code string}; see {@link #beginItem}. */
    public <T> void writeItem(T value, Writer<? super T> writer) {
        beginItem();
        writer.write(this, value);
        endItem();
    }

    /** Writes an eligible variable-length array: the count, and the elements as one item. */
    public <T> void writeArrayItem(List<T> values, Writer<? super T> writer) {
        writeInt(values.size());
        beginItem();
        writeFixedArray(values, writer);
        endItem();
    }

    /** Writes optional-data (RFC 4506 section 4.19). */
    public <T> void writeOptional(Optional<T> value, Writer<? super T> writer) {
        writeBoolean(value.isPresent());
        if (value.isPresent()) {
            writer.write(this, value.get());
        }
    }

    /** Writes a linked list: the flag TRUE before each element, and FALSE at the end. */
    public <T> void writeLinkedList(List<T> values, Writer<? super T> writer) {
        for (T value : values) {
            writeBoolean(true);
            writer.write(this, value);
        }
        writeBoolean(false);
    }

    /** Writes a linked list of at least one element, without a flag before the first. */
    public <T> void writeNonEmptyLinkedList(List<T> values, Writer<? super T> writer) {
        writer.write(this, values.get(0));
        writeLinkedList(values.subList(1, values.size()), writer);
    }

    /**
     * Begins a value of a recursive type: counts one level of nesting, as a decoder does.
     *
     * @throws IllegalArgumentException if the values nest deeper than 200 levels, or than the system property {@code
     *     org.emplace.xdr.nesting} allows, so that a peer with the same limit could not decode them
     */
    public void enter() {
        depth++;
        if (depth > Nesting.LIMIT) {
            throw new IllegalArgumentException(Nesting.tooDeep());
        }
    }

    /** Ends the value that {@link #enter} began. */
    public void leave() {
        depth--;
    }

    /** Appends a message of another encoder with its marks. Does not copy its payloads. */
    public void writeMessage(EncodedMessage message) {
        int length = message.streamLength();
        int at = claim(length);
        message.stream().get(bytes, at, length);
        for (ChunkMark each : message.marks()) {
            mark(each.shiftedBy(at));
        }
    }

    /** The number of bytes written so far, without payloads. */
    public int streamLength() {
        return position;
    }

    /**
     * The length in bytes of what has been written from an offset on, with its payloads and their padding.
     *
     * @param start an earlier {@link #streamLength}, not inside an item
     */
    public long unreducedLength(int start) {
        long total = (long) position - start;
        for (int i = 0; i < marks.size(); i++) {
            total += marks.get(i).streamOffset() < start ? 0 : EncodedMessage.payloadSpace(marks.get(i));
        }
        return total;
    }

    /**
     * Copies what has been written from an offset on, with its payloads, onto the heap: a message of its own, which stays
     * valid when the memory of this one is reused.
     *
     * @param start an earlier {@link #streamLength}, not inside an item
     * @throws IOException if a payload cannot be fetched from the peer's memory
     */
    public EncodedMessage copy(int start) throws IOException {
        requireNoItem();
        List<ChunkMark> copies = marks.isEmpty() ? List.of() : new ArrayList<>(marks.size());
        for (int i = 0; i < marks.size(); i++) {
            if (marks.get(i).streamOffset() >= start) {
                copies.add(copy(marks.get(i).shiftedBy(-start)));
            }
        }
        byte[] stream = Arrays.copyOfRange(bytes, start, position);
        return new EncodedMessage(ByteBuffer.wrap(stream), 0, stream.length, copies);
    }

    private static ChunkMark copy(ChunkMark mark) throws IOException {
        if (mark instanceof PayloadMark item) {
            ByteBuffer payload = item.payload().buffer();
            ByteBuffer kept =
                    ByteBuffer.allocate(payload.remaining()).put(payload).flip();
            return new PayloadMark(item.streamOffset(), Payload.of(kept), item.eligible());
        }
        return mark;
    }

    private void requireNoItem() {
        if (itemStart != NO_ITEM) {
            throw new IllegalStateException("an eligible item was begun but not ended; call endItem first");
        }
    }

    /**
     * Returns the message. After this, only {@link #restart} may be called; {@link Memory#place}, which this calls last, may
     * already call it.
     *
     * @throws IllegalStateException if an eligible item has not been ended
     */
    public EncodedMessage finish() {
        requireNoItem();
        byte[] message = bytes;
        int length = position;
        List<ChunkMark> marked = marks;
        // A reused encoder keeps nothing of this message, and no more memory than most messages need.
        if (memory == HEAP || bytes.length > KEPT_CAPACITY) {
            bytes = NOTHING;
        }
        marks = List.of();
        // From here on, this encoder may belong to another message.
        ByteBuffer placed = memory.place(message, length);
        return new EncodedMessage(placed, placed.position(), length, marked);
    }

    /** Writes bytes and their padding, without a count. */
    void writeBytes(byte[] value) {
        int at = claimBytes(0, value.length);
        System.arraycopy(value, 0, bytes, at, value.length);
    }

    /** Writes the number of bytes, the bytes and their padding. */
    private void writeCounted(byte[] value) {
        int at = claimBytes(Integer.BYTES, value.length);
        INT.set(bytes, at, value.length);
        System.arraycopy(value, 0, bytes, at + Integer.BYTES, value.length);
    }

    /**
     * Makes room for {@code before + length} bytes and the padding of {@code length}, which it writes. Returns the
     * index of the first byte.
     */
    private int claimBytes(int before, int length) {
        int padding = EncodedMessage.padding(length);
        int at = claim(Math.addExact(before + padding, length));
        if (padding > 0) {
            INT.set(bytes, position - Integer.BYTES, 0);
        }
        return at;
    }

    /** Makes room for {@code count} bytes and advances the position by them. Returns the index of the first byte. */
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
