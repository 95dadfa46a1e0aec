// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Reads values in XDR (RFC 4506) from a received message, strictly: every length is checked against the input before anything is
 * allocated, padding has to be there, a {@code bool} is 0 or 1. The content of padding is not looked at. All reads throw {@link XdrException}
 * when the input is not what was asked for; the decoder's position is then undefined. Used by one thread.
 */
public final class XdrDecoder {
    /** The bound of what is declared without one: 2³²-1. */
    public static final long UNBOUNDED = 0xffff_ffffL;

    /**
     * Elements for which there is room before they were read. More would be multiplied by the depth, as in a recursive type each array in an
     * array may claim what is left of the message.
     */
    private static final int UNSEEN_ELEMENTS = 64;

    /** Numbers from which on it pays to copy an array through a view of the buffer, which is an object. */
    private static final int BULK = 16;

    /** Elements for which a linked list has room at first; it does not say how many come. */
    private static final int FIRST_ELEMENTS = 8;

    private ByteBuffer in;
    private EligibleItems items;
    private XdrLimits limits = XdrLimits.DEFAULT;
    private boolean eligible = true;
    private int depth;

    /** What to add to the position in {@link #in} to get the position in the unreduced message. */
    private long base;

    /** A decoder of a message that has no chunks: the buffer's bytes between position and limit, of which it takes a view. */
    public XdrDecoder(ByteBuffer in) {
        this(in, EligibleItems.ALL_INLINE);
    }

    /** A decoder of a message some of whose eligible items may be elsewhere. */
    public XdrDecoder(ByteBuffer in, EligibleItems items) {
        this.in = in.slice();
        this.items = items;
    }

    /**
     * Begins a message within the stream: positions count from here on. For a transport whose own header, in XDR too, stands before the
     * message.
     */
    public void beginMessage() {
        base = -in.position();
    }

    /**
     * A word that stands ahead, without reading it.
     *
     * @param ahead bytes from the next one on
     * @throws XdrException if the stream ends before the end of the word
     */
    public int peekInt(int ahead) throws XdrException {
        if (in.remaining() - ahead < Integer.BYTES) {
            throw endsInside("a word");
        }
        return in.getInt(in.position() + ahead);
    }

    /**
     * Forgets everything and begins with another message that has no chunks: for a transport that reads many.
     *
     * @param in the message between position and limit, big-endian; used itself, not a view of it: the position moves as the message is read
     */
    public void restart(ByteBuffer in) {
        this.in = in;
        items = EligibleItems.ALL_INLINE;
        limits = XdrLimits.DEFAULT;
        eligible = true;
        depth = 0;
        base = -in.position();
    }

    /** Another decoder of what is left, with its own eligible items: it reads from here on, and this one stays where it is. */
    public XdrDecoder fork(EligibleItems items) {
        XdrDecoder ahead = new XdrDecoder(in, items).withLimits(limits).eligible(eligible);
        ahead.base = streamPosition();
        ahead.depth = depth;
        return ahead;
    }

    /** Sets other limits than {@link XdrLimits#DEFAULT}. */
    public XdrDecoder withLimits(XdrLimits limits) {
        this.limits = limits;
        return this;
    }

    /** Says where eligible items are; for a transport that knows it only after the message's header was read. */
    public void eligibleItems(EligibleItems items) {
        this.items = items;
    }

    /**
     * Says whether payloads and items read from here on are eligible; true at first. Those that are not always stand in the stream; such
     * payloads are copied out of it, and {@link EligibleItems} does not hear of them.
     */
    public XdrDecoder eligible(boolean mayBeChunks) {
        this.eligible = mayBeChunks;
        return this;
    }

    /** Reads an {@code int}, or the value of an {@code enum}. */
    public int readInt() throws XdrException {
        return readWord("an int");
    }

    /** Reads an {@code unsigned int}. */
    public long readUnsignedInt() throws XdrException {
        return Integer.toUnsignedLong(readWord("an unsigned int"));
    }

    /** Reads a {@code hyper}. */
    public long readHyper() throws XdrException {
        return readDoubleWord("a hyper");
    }

    /** Reads an {@code unsigned hyper} as its 64 bits; see {@link Long#compareUnsigned}. */
    public long readUnsignedHyper() throws XdrException {
        return readDoubleWord("an unsigned hyper");
    }

    /** Reads a {@code float}. */
    public float readFloat() throws XdrException {
        return Float.intBitsToFloat(readWord("a float"));
    }

    /** Reads a {@code double}. */
    public double readDouble() throws XdrException {
        return Double.longBitsToDouble(readDoubleWord("a double"));
    }

    /** Reads a {@code quadruple}. */
    public XdrQuadruple readQuadruple() throws XdrException {
        return new XdrQuadruple(readDoubleWord("a quadruple"), readDoubleWord("a quadruple"));
    }

    /** Reads a {@code bool}: 0 or 1, nothing else. */
    public boolean readBoolean() throws XdrException {
        int value = readWord("a bool");
        if (value != 0 && value != 1) {
            throw malformed("a bool is " + Integer.toUnsignedString(value) + ", not 0 or 1");
        }
        return value == 1;
    }

    /**
     * Reads a variable-length {@code opaque}.
     *
     * @param max the declared bound in bytes, 2³²-1 if there is none
     */
    public XdrOpaque readOpaque(long max) throws XdrException {
        long length = count(max, "opaque");
        return length == 0 ? XdrOpaque.EMPTY : new XdrOpaque(bytes(length));
    }

    /** Reads a fixed-length {@code opaque}. */
    public XdrOpaque readFixedOpaque(int size) throws XdrException {
        return new XdrOpaque(bytes(size));
    }

    /**
     * Reads a {@code string}.
     *
     * @param max the declared bound in bytes, 2³²-1 if there is none
     */
    public XdrString readString(long max) throws XdrException {
        return new XdrString(bytes(count(max, "string")));
    }

    /**
     * Reads a variable-length payload, from its chunk if it has one.
     *
     * @param max the declared bound in bytes
     */
    public Payload readPayload(long max) throws XdrException {
        return payload(count(max, "payload"));
    }

    /** Reads a payload of fixed length, from its chunk if it has one. */
    public Payload readFixedPayload(int size) throws XdrException {
        return payload(size);
    }

    /**
     * Reads the payload of a variable-length array of numbers, from its chunk if it has one.
     *
     * @param max the declared bound in elements
     * @param elementSize bytes that an element takes
     */
    public Payload readArrayPayload(long max, int elementSize) throws XdrException {
        return payload(elementCount(max) * elementSize);
    }

    private Payload payload(long length) throws XdrException {
        if (!eligible) {
            return Payload.of(ByteBuffer.wrap(bytes(length)));
        }
        Payload chunk = items.chunkAt(streamPosition(), length);
        if (chunk == null) {
            return items.inline(slice(length).asReadOnlyBuffer());
        }
        if (chunk.length() != length) {
            throw malformed("a chunk of " + chunk.length() + " bytes stands for an item of " + length);
        }
        base += EncodedMessage.roundUp(length);
        return chunk;
    }

    /** Reads an eligible item other than bytes: from its chunk if it has one, which it must fill, else from the stream. */
    public <T> T readItem(XdrReader<T> reader) throws XdrException {
        if (!eligible) {
            return reader.read(this);
        }
        Payload chunk = items.chunkAt(streamPosition(), EligibleItems.UNKNOWN_LENGTH);
        return chunk == null ? readWhole(reader) : readFromChunk(chunk, reader);
    }

    /** What is inside an item that moves as a whole has no chunks of its own. */
    private <T> T readWhole(XdrReader<T> reader) throws XdrException {
        eligible = false;
        T value = reader.read(this);
        eligible = true;
        return value;
    }

    private <T> T readFromChunk(Payload chunk, XdrReader<T> reader) throws XdrException {
        ByteBuffer stream = in;
        long streamBase = base;
        base = streamPosition();
        in = fetched(chunk).slice();
        T value = readWhole(reader);
        requireEnd();
        base = streamBase + EncodedMessage.roundUp(chunk.length());
        in = stream;
        return value;
    }

    private ByteBuffer fetched(Payload chunk) throws XdrException {
        try {
            return chunk.buffer();
        } catch (IOException failure) {
            XdrException unreadable = malformed("the chunk of an item could not be fetched: " + failure.getMessage());
            unreadable.initCause(failure);
            throw unreadable;
        }
    }

    /**
     * Reads a variable-length array.
     *
     * @param max the declared bound, 2³²-1 if there is none
     * @param minimumElementSize bytes that an element takes in the stream at least, so that a count which the input cannot hold is refused
     *     before anything is allocated
     * @return unmodifiable
     */
    public <T> List<T> readArray(long max, int minimumElementSize, XdrReader<T> reader) throws XdrException {
        long count = elementCount(max);
        long possible = minimumElementSize > 0 ? in.remaining() / minimumElementSize : possibleElements();
        if (count > possible) {
            throw malformed("an array says that it has " + count + " elements, the rest of the message holds at most "
                    + possible);
        }
        return elements((int) count, reader);
    }

    /** Reads the elements of an array of numbers that take four bytes each. */
    int[] readWords(int count) throws XdrException {
        int end = endOf((long) count * Integer.BYTES);
        int[] words = new int[count];
        if (count < BULK) {
            for (int i = 0; i < count; i++) {
                words[i] = in.getInt();
            }
        } else {
            in.slice(in.position(), end - in.position()).asIntBuffer().get(words);
            in.position(end);
        }
        return words;
    }

    /** Reads the elements of an array of numbers that take eight bytes each. */
    long[] readDoubleWords(int count) throws XdrException {
        int end = endOf((long) count * Long.BYTES);
        long[] words = new long[count];
        if (count < BULK) {
            for (int i = 0; i < count; i++) {
                words[i] = in.getLong();
            }
        } else {
            in.slice(in.position(), end - in.position()).asLongBuffer().get(words);
            in.position(end);
        }
        return words;
    }

    /** Reads the count of an array whose elements take so many bytes each, and are there. */
    int readCount(long max, int elementSize) throws XdrException {
        long count = elementCount(max);
        endOf(count * elementSize);
        return (int) count;
    }

    private long elementCount(long max) throws XdrException {
        long count = readUnsignedInt();
        if (count > max) {
            throw malformed("an array has " + count + " elements, at most " + max + " are allowed");
        }
        return count;
    }

    /** Elements are of four bytes at least, or of none. */
    private long possibleElements() {
        return Math.max(in.remaining() / 4, limits.maxEmptyElements());
    }

    /**
     * Reads a fixed-length array.
     *
     * @return unmodifiable
     */
    public <T> List<T> readFixedArray(int size, XdrReader<T> reader) throws XdrException {
        return elements(size, reader);
    }

    /**
     * Reads an eligible variable-length array: its count, and its elements from their chunk if they have one.
     *
     * @param max the declared bound
     * @return unmodifiable
     */
    public <T> List<T> readArrayItem(long max, XdrReader<T> reader) throws XdrException {
        long count = readUnsignedInt();
        if (count > Math.min(max, Integer.MAX_VALUE)) {
            throw malformed("an array has " + count + " elements, at most " + max + " are allowed");
        }
        return readItem(from -> {
            long possible = from.possibleElements();
            if (count > possible) {
                throw malformed(
                        "an array says that it has " + count + " elements, there is room for at most " + possible);
            }
            return from.elements((int) count, reader);
        });
    }

    private <T> List<T> elements(int count, XdrReader<T> reader) throws XdrException {
        // Bitmaps and the like: short, of numbers, and many to a message.
        return switch (count) {
            case 0 -> List.of();
            case 1 -> List.of(reader.read(this));
            case 2 -> List.of(reader.read(this), reader.read(this));
            default -> manyElements(count, reader);
        };
    }

    private <T> List<T> manyElements(int count, XdrReader<T> reader) throws XdrException {
        Elements<T> values = new Elements<>(Math.min(count, UNSEEN_ELEMENTS));
        for (int i = 0; i < count; i++) {
            values.add(reader.read(this));
        }
        return values.toList();
    }

    /** Reads optional-data (RFC 4506 section 4.19). */
    public <T> Optional<T> readOptional(XdrReader<T> reader) throws XdrException {
        return readBoolean() ? Optional.of(reader.read(this)) : Optional.empty();
    }

    /**
     * Reads a linked list.
     *
     * @return unmodifiable
     */
    public <T> List<T> readLinkedList(XdrReader<T> reader) throws XdrException {
        return linked(new Elements<>(FIRST_ELEMENTS), reader);
    }

    /**
     * Reads a linked list that begins with its first element, without a flag before it.
     *
     * @return unmodifiable
     */
    public <T> List<T> readNonEmptyLinkedList(XdrReader<T> reader) throws XdrException {
        Elements<T> values = new Elements<>(FIRST_ELEMENTS);
        values.add(reader.read(this));
        return linked(values, reader);
    }

    private <T> List<T> linked(Elements<T> values, XdrReader<T> reader) throws XdrException {
        while (readBoolean()) {
            values.add(reader.read(this));
        }
        return values.toList();
    }

    /**
     * Enters a value of a recursive type.
     *
     * @throws XdrException if the values nest deeper than {@link XdrLimits#maxDepth}
     */
    public void enter() throws XdrException {
        depth++;
        if (depth > limits.maxDepth()) {
            throw malformed("values nest deeper than " + limits.maxDepth() + " levels");
        }
    }

    /** Leaves the value that {@link #enter} entered. */
    public void leave() {
        depth--;
    }

    /** Bytes left in the stream. */
    public int remaining() {
        return in.remaining();
    }

    /** The position in the unreduced message: items that were taken from chunks, and their padding, are counted. */
    public long streamPosition() {
        return base + in.position();
    }

    /** Checks that nothing is left. */
    public void requireEnd() throws XdrException {
        if (in.hasRemaining()) {
            throw malformed(in.remaining() + " bytes are left over");
        }
    }

    /** An exception for what was just read; the message says where. */
    public XdrException malformed(String what) {
        return new XdrException(what + " (at byte " + streamPosition() + ")");
    }

    private long count(long max, String kind) throws XdrException {
        long count = readUnsignedInt();
        if (count > max) {
            throw malformed("the length of " + kind + " data is " + count + " bytes, at most " + max + " are allowed");
        }
        return count;
    }

    /**
     * Skips a variable-length {@code opaque}.
     *
     * @param max the declared bound in bytes
     */
    public void skipOpaque(long max) throws XdrException {
        in.position(endOf(count(max, "opaque")));
    }

    private byte[] bytes(long length) throws XdrException {
        int end = endOf(length);
        byte[] bytes = new byte[(int) length];
        in.get(bytes).position(end);
        return bytes;
    }

    /** The next bytes of the stream; their padding is skipped. */
    private ByteBuffer slice(long length) throws XdrException {
        int end = endOf(length);
        ByteBuffer bytes = in.slice(in.position(), (int) length);
        in.position(end);
        return bytes;
    }

    /** The position after so many bytes and their padding, which have to be there. */
    private int endOf(long length) throws XdrException {
        long padded = EncodedMessage.roundUp(length);
        if (padded > in.remaining()) {
            throw malformed("an item takes " + padded + " bytes with its padding, " + in.remaining() + " are left");
        }
        return in.position() + (int) padded;
    }

    /** The buffer checks that the bytes are there; a check of our own before that would cost as much again. */
    private int readWord(String what) throws XdrException {
        try {
            return in.getInt();
        } catch (BufferUnderflowException e) {
            throw endsInside(what);
        }
    }

    private long readDoubleWord(String what) throws XdrException {
        try {
            return in.getLong();
        } catch (BufferUnderflowException e) {
            throw endsInside(what);
        }
    }

    private XdrException endsInside(String what) {
        return malformed("the message ends inside " + what);
    }
}
