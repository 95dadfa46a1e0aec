// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** The input of a decoder: reads numbers and bytes of a message, and keeps the position. */
abstract sealed class MessageInput permits XdrDecoder {
    private ByteBuffer in;

    /** The difference between the position in the unreduced message and that in {@link #in}. */
    private long base;

    MessageInput(ByteBuffer in) {
        this.in = in;
    }

    /**
     * Continues in another buffer.
     *
     * @param position where the buffer's next byte is in the unreduced message
     */
    final void readFrom(ByteBuffer buffer, long position) {
        in = buffer;
        base = position - buffer.position();
    }

    /** The current buffer, with its position at the next byte. */
    final ByteBuffer buffer() {
        return in;
    }

    /** The position in the unreduced message in bytes, which counts items read from chunks and their padding. */
    public final long streamPosition() {
        return base + in.position();
    }

    /** The number of bytes left in the stream. */
    public final int remaining() {
        return in.remaining();
    }

    /**
     * Checks that the whole stream has been read.
     *
     * @throws XdrException if bytes are left
     */
    public final void requireEnd() throws XdrException {
        if (in.hasRemaining()) {
            throw malformed(in.remaining() + " bytes are left over");
        }
    }

    /** Returns the CRC-32 of the bytes left in the stream, without reading them. */
    public final int checksumOfRest() {
        CRC32 checksum = new CRC32();
        checksum.update(in.duplicate());
        return (int) checksum.getValue();
    }

    /**
     * Returns a four-byte word of the stream without reading it.
     *
     * @param ahead offset of the word from the current position, in bytes
     * @throws XdrException if the stream ends before the end of the word
     */
    public final int peekInt(int ahead) throws XdrException {
        if (in.remaining() - ahead < Integer.BYTES) {
            throw endsInside("a word");
        }
        return in.getInt(in.position() + ahead);
    }

    /** Reads an {@code int}, or the value of an {@code enum}. */
    public final int readInt() throws XdrException {
        return readWord("an int");
    }

    /** Reads an {@code unsigned int}. */
    public final long readUnsignedInt() throws XdrException {
        return Integer.toUnsignedLong(readWord("an unsigned int"));
    }

    /** Reads a {@code hyper}. */
    public final long readHyper() throws XdrException {
        return readDoubleWord("a hyper");
    }

    /** Reads an {@code unsigned hyper} as its 64 bits; see {@link Long#compareUnsigned}. */
    public final long readUnsignedHyper() throws XdrException {
        return readDoubleWord("an unsigned hyper");
    }

    /** Reads a {@code float}. */
    public final float readFloat() throws XdrException {
        return Float.intBitsToFloat(readWord("a float"));
    }

    /** Reads a {@code double}. */
    public final double readDouble() throws XdrException {
        return Double.longBitsToDouble(readDoubleWord("a double"));
    }

    /** Reads a {@code quadruple}. */
    public final XdrQuadruple readQuadruple() throws XdrException {
        return new XdrQuadruple(readDoubleWord("a quadruple"), readDoubleWord("a quadruple"));
    }

    /** Reads a {@code bool}: 0 or 1, nothing else. */
    public final boolean readBoolean() throws XdrException {
        int value = readWord("a bool");
        if (value != 0 && value != 1) {
            throw malformed("a bool is " + Integer.toUnsignedString(value) + ", not 0 or 1");
        }
        return value == 1;
    }

    /** Leaves the check for the end to the buffer; a second check would double the cost. */
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

    /** Returns the next {@code length} bytes of the stream, and skips their padding. */
    final byte[] readBytes(long length) throws XdrException {
        int end = endOf(length);
        byte[] bytes = new byte[(int) length];
        in.get(bytes).position(end);
        return bytes;
    }

    /** The buffer's position after the next {@code length} bytes and their padding; throws if the stream is shorter. */
    final int endOf(long length) throws XdrException {
        long padded = EncodedMessage.roundUp(length);
        if (padded > in.remaining()) {
            throw malformed(
                    "an item takes " + padded + " bytes with its padding, but only " + in.remaining() + " are left");
        }
        return in.position() + (int) padded;
    }

    /**
     * Creates an exception for the last value read.
     *
     * @param what what was wrong; the message adds the position
     */
    public final XdrException malformed(String what) {
        return new XdrException(what + " (at byte " + streamPosition() + ")");
    }

    private XdrException endsInside(String what) {
        return malformed("the message ends inside " + what);
    }
}
