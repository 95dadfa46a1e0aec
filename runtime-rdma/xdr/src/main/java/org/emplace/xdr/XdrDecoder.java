// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.emplace.xdr.XdrCodec.Reader;
import org.emplace.xdr.XdrRuntime.Nesting;

/**
 * Decodes values in XDR (RFC 4506) from a received message. Applications decode a value by the static method of its
 * class: {@code Fattr3.decode(new XdrDecoder(buffer))}.
 *
 * <p>The decoder checks each length against the input before it allocates memory. It requires padding, whose content it
 * ignores, and accepts no {@code bool} other than 0 and 1. Methods that read throw {@link XdrException} if the input is
 * not a valid encoding of the requested type; the position is then undefined. Used by one thread.
 */
public final class XdrDecoder extends MessageInput {
    /** The bound of data that is declared without one: 2³²-1. */
    public static final long UNBOUNDED = 0xffff_ffffL;

    /**
     * The most elements to allocate room for before they are read. It is small because in a recursive type each nested
     * array may claim the rest of the message.
     */
    private static final int UNSEEN_ELEMENTS = 64;

    /** The most elements of an array whose elements take no bytes, so that the length of the input does not limit them. */
    private static final int MOST_EMPTY_ELEMENTS = 1024;

    /** The initial capacity for a linked list, whose length is not known in advance. */
    private static final int FIRST_ELEMENTS = 8;

    private EligibleItems items;
    private boolean eligible = true;
    private int depth;

    /**
     * Creates a decoder of a message without chunks.
     *
     * @param in the message between position and limit; the decoder reads a view of it, so that the buffer's position
     *     does not change
     */
    public XdrDecoder(ByteBuffer in) {
        this(in, EligibleItems.ALL_INLINE);
    }

    /**
     * Creates a decoder of a message that may have chunks.
     *
     * @param in as for {@link #XdrDecoder(ByteBuffer)}
     * @param items gives the items that are not in the stream
     */
    public XdrDecoder(ByteBuffer in, EligibleItems items) {
        super(in.slice());
        this.items = items;
    }

    /**
     * Counts positions from here on. For a transport that has read its own header, also in XDR, from the same buffer.
     */
    public void beginMessage() {
        readFrom(buffer(), 0);
    }

    /**
     * Begins another message, without chunks. For a transport that reuses a decoder.
     *
     * @param in the message between position and limit, big-endian; read directly, so that its position changes
     */
    public void restart(ByteBuffer in) {
        readFrom(in, 0);
        items = EligibleItems.ALL_INLINE;
        eligible = true;
        depth = 0;
    }

    /**
     * Returns another decoder that reads from here on, with eligible items of its own. The position of this one does
     * not change.
     */
    public XdrDecoder fork(EligibleItems items) {
        XdrDecoder ahead = new XdrDecoder(buffer(), items).eligible(eligible);
        ahead.readFrom(ahead.buffer(), streamPosition());
        ahead.depth = depth;
        return ahead;
    }

    /**
     * Returns a decoder of other bytes, such as those that were enclosed in this message, with the same eligible items and all
     * settings of a new decoder.
     *
     * @param in as for {@link #XdrDecoder(ByteBuffer)}
     */
    public XdrDecoder within(ByteBuffer in) {
        return new XdrDecoder(in, items);
    }

    /** Sets the eligible items. For a transport that knows them only when it has read the message's header. */
    public void eligibleItems(EligibleItems items) {
        this.items = items;
    }

    /**
     * Sets whether payloads and items read from here on are eligible; initially true. If not, they are read from the
     * stream without asking {@link EligibleItems}, and payloads are copied. Returns this decoder.
     */
    public XdrDecoder eligible(boolean mayBeChunks) {
        this.eligible = mayBeChunks;
        return this;
    }

    /**
     * Reads a variable-length {@code opaque}.
     *
     * @param max the declared bound in bytes, or {@link #UNBOUNDED}
     */
    public XdrOpaque readOpaque(long max) throws XdrException {
        long length = count(max, "opaque");
        return length == 0 ? XdrOpaque.EMPTY : new XdrOpaque(readBytes(length));
    }

    /** Reads a fixed-length {@code opaque}. */
    public XdrOpaque readFixedOpaque(int size) throws XdrException {
        return new XdrOpaque(readBytes(size));
    }

    /**
     * Reads a {@code string}.
     *
     * @param max the declared bound in bytes, or {@link #UNBOUNDED}
     */
    public XdrString readString(long max) throws XdrException {
        return new XdrString(readBytes(count(max, "string")));
    }

    /**
     * Reads a variable-length payload, from its chunk if it has one.
     *
     * @param max the declared bound in bytes, or {@link #UNBOUNDED}
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
     * @param max the declared bound in elements, or {@link #UNBOUNDED}
     * @param elementSize bytes of an element
     */
    public Payload readArrayPayload(long max, int elementSize) throws XdrException {
        return payload(elementCount(max) * elementSize);
    }

    private Payload payload(long length) throws XdrException {
        if (!eligible) {
            return Payload.of(ByteBuffer.wrap(readBytes(length)));
        }
        Payload chunk = items.chunkAt(streamPosition(), length);
        if (chunk == null) {
            int end = endOf(length);
            Payload inline = items.inline(buffer(), (int) length);
            buffer().position(end);
            return inline;
        }
        if (chunk.length() != length) {
            throw malformed("a chunk of " + chunk.length() + " bytes was sent for an item of " + length + " bytes");
        }
        readFrom(buffer(), streamPosition() + EncodedMessage.roundUp(length));
        return chunk;
    }

    /**
     * Reads an eligible item other than {@code opaque} or {@code string}. If the item has a chunk, it must fill the
     * chunk; otherwise it is read from the stream.
     */
    public <T> T readItem(Reader<T> reader) throws XdrException {
        if (!eligible) {
            return reader.read(this);
        }
        Payload chunk = items.chunkAt(streamPosition(), EligibleItems.UNKNOWN_LENGTH);
        return chunk == null ? readWhole(reader) : readFromChunk(chunk, reader);
    }

    /** Reads an item that moves as a whole: items inside it have no chunks of their own. */
    private <T> T readWhole(Reader<T> reader) throws XdrException {
        eligible = false;
        T value = reader.read(this);
        eligible = true;
        return value;
    }

    private <T> T readFromChunk(Payload chunk, Reader<T> reader) throws XdrException {
        ByteBuffer stream = buffer();
        long position = streamPosition();
        readFrom(fetched(chunk).slice(), position);
        T value = readWhole(reader);
        requireEnd();
        readFrom(stream, position + EncodedMessage.roundUp(chunk.length()));
        return value;
    }

    private ByteBuffer fetched(Payload chunk) throws XdrException {
        try {
            return chunk.buffer();
        } catch (IOException failure) {
            XdrException unreadable = malformed("an item's chunk could not be fetched: " + failure.getMessage());
            unreadable.initCause(failure);
            throw unreadable;
        }
    }

    /**
     * Reads a variable-length array.
     *
     * @param max the declared bound in elements, or {@link #UNBOUNDED}
     * @param minimumElementSize the least bytes of an element in the stream; a count for which the input is too short
     *     is rejected before memory is allocated
     * @return unmodifiable
     */
    public <T> List<T> readArray(long max, int minimumElementSize, Reader<T> reader) throws XdrException {
        long count = elementCount(max);
        long possible = minimumElementSize > 0 ? remaining() / minimumElementSize : possibleElements();
        if (count > possible) {
            throw malformed("an array claims " + count + " elements, but the rest of the message has room for at most "
                    + possible);
        }
        return elements((int) count, reader);
    }

    /** Reads the elements of a variable-length array of numbers. */
    byte[] readElements(long max, int elementSize) throws XdrException {
        return readBytes(elementCount(max) * elementSize);
    }

    private long elementCount(long max) throws XdrException {
        long count = readUnsignedInt();
        if (count > max) {
            throw malformed("an array has " + count + " elements, at most " + max + " are allowed");
        }
        return count;
    }

    /** An element takes at least four bytes, or none. */
    private long possibleElements() {
        return Math.max(remaining() / 4, MOST_EMPTY_ELEMENTS);
    }

    /**
     * Reads a fixed-length array.
     *
     * @return unmodifiable
     */
    public <T> List<T> readFixedArray(int size, Reader<T> reader) throws XdrException {
        return elements(size, reader);
    }

    /**
     * Reads an eligible variable-length array: its count, and its elements from their chunk if they have one.
     *
     * @param max the declared bound in elements, or {@link #UNBOUNDED}
     * @return unmodifiable
     */
    public <T> List<T> readArrayItem(long max, Reader<T> reader) throws XdrException {
        long count = readUnsignedInt();
        if (count > Math.min(max, Integer.MAX_VALUE)) {
            throw malformed("an array has " + count + " elements, at most " + max + " are allowed");
        }
        if (count == 0) {
            if (eligible) {
                items.chunkAt(streamPosition(), 0);
            }
            return List.of();
        }
        return readItem(from -> {
            long possible = from.possibleElements();
            if (count > possible) {
                throw malformed(
                        "an array claims " + count + " elements, but its data has room for at most " + possible);
            }
            return from.elements((int) count, reader);
        });
    }

    private <T> List<T> elements(int count, Reader<T> reader) throws XdrException {
        if (count == 1) {
            return List.of(reader.read(this));
        }
        Elements<T> values = new Elements<>(Math.min(count, UNSEEN_ELEMENTS));
        for (int i = 0; i < count; i++) {
            values.add(reader.read(this));
        }
        return values.toList();
    }

    /**
     * Reads a variable-length array of operations, the last item of a message. An operation without a definition may
     * have arguments of unknown length. If the input after the first such operation cannot be decoded, the array ends
     * with that operation, and the rest of the message is skipped.
     *
     * @param max the declared bound in elements, or {@link #UNBOUNDED}
     * @param minimumElementSize as for {@link #readArray}
     * @param isUndefined whether an operation has no definition
     * @return unmodifiable
     */
    public <T> List<T> readOperations(
            long max, int minimumElementSize, Reader<T> reader, Predicate<? super T> isUndefined) throws XdrException {
        ByteBuffer stream = buffer();
        boolean wasEligible = eligible;
        int outerDepth = depth;
        List<T> operations = new ArrayList<>();
        try {
            readArray(max, minimumElementSize, from -> operations.add(reader.read(from)));
            requireEnd();
            return List.copyOf(operations);
        } catch (XdrException malformed) {
            int end = 1;
            while (end <= operations.size() && !isUndefined.test(operations.get(end - 1))) {
                end++;
            }
            if (end > operations.size()) {
                throw malformed;
            }
            readFrom(stream.position(stream.limit()), streamPosition());
            eligible = wasEligible;
            depth = outerDepth;
            return List.copyOf(operations.subList(0, end));
        }
    }

    /**
     * Reads an enum.
     *
     * @param of returns the constant for a value, or throws {@link IllegalArgumentException} if there is none
     */
    public <E> E readEnum(IntFunction<E> of) throws XdrException {
        int value = readInt();
        try {
            return of.apply(value);
        } catch (IllegalArgumentException unknown) {
            throw malformed(String.valueOf(unknown.getMessage()));
        }
    }

    /** Reads optional-data (RFC 4506 section 4.19). */
    public <T> Optional<T> readOptional(Reader<T> reader) throws XdrException {
        return readBoolean() ? Optional.of(reader.read(this)) : Optional.empty();
    }

    /**
     * Reads a linked list.
     *
     * @return unmodifiable
     */
    public <T> List<T> readLinkedList(Reader<T> reader) throws XdrException {
        return linked(new Elements<>(FIRST_ELEMENTS), reader);
    }

    /**
     * Reads a linked list that begins with its first element, without a flag before it.
     *
     * @return unmodifiable
     */
    public <T> List<T> readNonEmptyLinkedList(Reader<T> reader) throws XdrException {
        Elements<T> values = new Elements<>(FIRST_ELEMENTS);
        values.add(reader.read(this));
        return linked(values, reader);
    }

    private <T> List<T> linked(Elements<T> values, Reader<T> reader) throws XdrException {
        while (readBoolean()) {
            values.add(reader.read(this));
        }
        return values.toList();
    }

    /**
     * Begins a value of a recursive type: counts one level of nesting.
     *
     * @throws XdrException if the values nest deeper than 200 levels, or than the system property {@code
     *     org.emplace.xdr.nesting} allows
     */
    public void enter() throws XdrException {
        depth++;
        if (depth > Nesting.LIMIT) {
            throw malformed(Nesting.tooDeep());
        }
    }

    /** Ends the value that {@link #enter} began. */
    public void leave() {
        depth--;
    }

    private long count(long max, String kind) throws XdrException {
        long count = readUnsignedInt();
        if (count > max) {
            throw malformed("the length of " + kind + " data is " + count + " bytes, at most " + max + " are allowed");
        }
        return count;
    }

    /**
     * Collects the elements of an array while it is decoded. It grows with the elements, so that a count alone makes it
     * allocate nothing.
     */
    private static final class Elements<T> {
        private Object[] values;
        private int count;

        /** @param capacity initial capacity in elements */
        Elements(int capacity) {
            values = new Object[capacity];
        }

        void add(T value) {
            if (count == values.length) {
                values = Arrays.copyOf(values, Math.max(4, 2 * count));
            }
            values[count++] = value;
        }

        /** Returns the elements as an unmodifiable list. */
        @SuppressWarnings("unchecked") // add accepts only T
        List<T> toList() {
            return (List<T>) List.of(count == values.length ? values : Arrays.copyOf(values, count));
        }
    }
}
