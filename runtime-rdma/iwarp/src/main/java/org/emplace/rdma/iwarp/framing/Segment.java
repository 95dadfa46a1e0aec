// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import java.nio.ByteBuffer;

/** The header of a DDP segment with its RDMAP control byte (RFC 5041 section 4, RFC 5040 section 4), behind the FPDU's length. */
public sealed interface Segment {
    /** Bytes of the FPDU's length field. */
    int LENGTH_FIELD = 2;
    /** Bytes of the length field and a tagged segment's header. */
    int TAGGED_HEAD = LENGTH_FIELD + 14;
    /** Bytes of the length field and an untagged segment's header. */
    int UNTAGGED_HEAD = LENGTH_FIELD + 18;

    int TAGGED_FLAG = 0x80;
    int LAST_FLAG = 0x40;
    int DDP_VERSION = 1;
    int RDMAP_VERSION = 1 << 6;

    /** The message type. */
    Opcode opcode();

    /** Whether the message ends here. */
    boolean last();

    /** Payload bytes. */
    int length();

    /** A piece of a Write or Read Response, for the place that it names itself. */
    record Tagged(Opcode opcode, boolean last, int length, int stag, long offset) implements Segment {}

    /** A piece of the {@code sequence}th message (MSN) on a queue; {@code offset} (MO) is where in the message it belongs. */
    record Untagged(Opcode opcode, boolean last, int length, int invalidate, int sequence, int offset)
            implements Segment {}

    /** Bytes of the length field and the header that start with these {@link #TAGGED_HEAD} bytes. */
    static int headLength(ByteBuffer head) throws StreamException {
        int headLength = (head.get(LENGTH_FIELD) & TAGGED_FLAG) != 0 ? TAGGED_HEAD : UNTAGGED_HEAD;
        int ulpduLength = Short.toUnsignedInt(head.getShort(0));
        if (LENGTH_FIELD + ulpduLength < headLength) {
            throw StreamException.violation(
                    TerminateCode.MPA_LENGTH, "FPDU of " + ulpduLength + " bytes is shorter than its DDP header");
        }
        return headLength;
    }

    /** Reads a header from the start of {@code head}, which holds it whole. */
    static Segment parse(ByteBuffer head) throws StreamException {
        int length = LENGTH_FIELD + Short.toUnsignedInt(head.getShort(0)) - headLength(head);
        int ddp = head.get(2);
        int rdmap = head.get(3);
        boolean tagged = (ddp & TAGGED_FLAG) != 0;
        if ((ddp & 0x3) != DDP_VERSION) {
            throw StreamException.violation(
                    tagged ? TerminateCode.DDP_TAGGED_VERSION : TerminateCode.DDP_UNTAGGED_VERSION,
                    "DDP version " + (ddp & 0x3) + ", not 1");
        }
        if ((rdmap & 0xc0) != RDMAP_VERSION) {
            throw StreamException.violation(
                    TerminateCode.RDMAP_VERSION, "RDMAP version " + ((rdmap >> 6) & 0x3) + ", not 1");
        }
        Opcode opcode = Opcode.of(rdmap & 0xf);
        if (opcode == null || opcode.isTagged() != tagged) {
            throw StreamException.violation(
                    TerminateCode.RDMAP_OPCODE,
                    "opcode " + (rdmap & 0xf) + " in " + (tagged ? "a tagged" : "an untagged") + " segment");
        }
        boolean last = (ddp & LAST_FLAG) != 0;
        if (tagged) {
            return new Tagged(opcode, last, length, head.getInt(4), head.getLong(8));
        }
        int queue = head.getInt(8);
        if (queue != opcode.queue()) {
            throw StreamException.violation(
                    TerminateCode.DDP_QUEUE,
                    opcode + " on queue " + Integer.toUnsignedString(queue) + ", not " + opcode.queue());
        }
        return new Untagged(opcode, last, length, head.getInt(4), head.getInt(12), head.getInt(16));
    }

    /** Writes the FPDU's length and the header of a tagged segment at {@code head}'s position. */
    static void putTagged(ByteBuffer head, Opcode opcode, boolean last, int length, int stag, long offset) {
        putControl(head, opcode, TAGGED_FLAG | (last ? LAST_FLAG : 0), length + TAGGED_HEAD);
        head.putInt(stag).putLong(offset);
    }

    /** Writes the FPDU's length and the header of an untagged segment at {@code head}'s position. */
    static void putUntagged(
            ByteBuffer head, Opcode opcode, boolean last, int length, int invalidate, int sequence, int offset) {
        putControl(head, opcode, last ? LAST_FLAG : 0, length + UNTAGGED_HEAD);
        head.putInt(invalidate).putInt(opcode.queue()).putInt(sequence).putInt(offset);
    }

    private static void putControl(ByteBuffer head, Opcode opcode, int flags, int length) {
        head.putShort((short) (length - LENGTH_FIELD));
        head.put((byte) (flags | DDP_VERSION)).put((byte) (RDMAP_VERSION | opcode.code()));
    }
}
