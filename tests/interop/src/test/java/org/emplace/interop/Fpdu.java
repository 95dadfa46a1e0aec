// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An FPDU without CRC (RFC 5044), holding a DDP segment of an RDMAP message (RFC 5040, 5041). Parsed and built here without the code under
 * test.
 *
 * @param ulpdu begins with the DDP control byte
 */
record Fpdu(ByteBuffer ulpdu) {
    static final int WRITE = 0;
    static final int READ_REQUEST = 1;
    static final int READ_RESPONSE = 2;
    static final int SEND = 3;
    static final int SEND_WITH_INVALIDATE = 4;

    private static final int TAGGED = 0x80;
    private static final int LAST = 0x40;
    private static final int DDP_VERSION = 1;
    private static final int RDMAP_VERSION = 0x40;
    private static final int TAGGED_HEADER = 14;
    private static final int UNTAGGED_HEADER = 18;
    private static final int MESSAGE_SEQUENCE_NUMBER = 10;

    static Fpdu readFrom(DataInputStream in) throws IOException {
        byte[] ulpdu = new byte[in.readUnsignedShort()];
        in.readFully(ulpdu);
        in.readFully(new byte[padding(ulpdu.length)]);
        if (in.readInt() != 0) {
            throw new IOException("an FPDU has a CRC, though none was asked for");
        }
        return new Fpdu(ByteBuffer.wrap(ulpdu));
    }

    /** A Read Response in one segment. */
    static Fpdu readResponse(int sinkSTag, long sinkOffset, byte[] data) {
        return new Fpdu(ByteBuffer.allocate(TAGGED_HEADER + data.length)
                .put((byte) (TAGGED | LAST | DDP_VERSION))
                .put((byte) (RDMAP_VERSION | READ_RESPONSE))
                .putInt(sinkSTag)
                .putLong(sinkOffset)
                .put(data)
                .flip());
    }

    /** The same untagged segment with another message sequence number. */
    Fpdu numbered(int messageSequenceNumber) {
        ByteBuffer copy =
                ByteBuffer.allocate(ulpdu.remaining()).put(ulpdu.duplicate()).flip();
        return new Fpdu(copy.putInt(MESSAGE_SEQUENCE_NUMBER, messageSequenceNumber));
    }

    byte[] bytes() {
        int length = ulpdu.remaining();
        return ByteBuffer.allocate(2 + length + padding(length) + 4)
                .putShort((short) length)
                .put(ulpdu.duplicate())
                .array();
    }

    int opcode() {
        return ulpdu.get(1) & 0x0f;
    }

    boolean isSend() {
        return opcode() == SEND || opcode() == SEND_WITH_INVALIDATE;
    }

    boolean isLast() {
        return (ulpdu.get(0) & LAST) != 0;
    }

    /** The STag of a tagged segment. */
    int sTag() {
        return ulpdu.getInt(2);
    }

    /** The tagged offset of a tagged segment. */
    long taggedOffset() {
        return ulpdu.getLong(6);
    }

    /** The bytes after the headers. */
    ByteBuffer payload() {
        int header = (ulpdu.get(0) & TAGGED) != 0 ? TAGGED_HEADER : UNTAGGED_HEADER;
        return ulpdu.slice(header, ulpdu.remaining() - header);
    }

    private static int padding(int length) {
        return -(2 + length) & 3;
    }
}
