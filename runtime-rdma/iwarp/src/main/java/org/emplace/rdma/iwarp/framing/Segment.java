// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import java.nio.ByteBuffer;
import org.emplace.rdma.iwarp.framing.StreamException.TerminateCode;
import org.jspecify.annotations.Nullable;

/**
 * The header of a DDP segment with its RDMAP control byte (RFC 5041 section 4, RFC 5040 section 4), which follows the FPDU's length field. A reader
 * has one object, set up for each segment, so that segments create no garbage.
 */
public final class Segment {
    /** Bytes of the FPDU's length field. */
    public static final int LENGTH_FIELD = 2;
    /** Bytes of the length field and a tagged segment's header. */
    public static final int TAGGED_HEAD = LENGTH_FIELD + 14;
    /** Bytes of the length field and an untagged segment's header. */
    public static final int UNTAGGED_HEAD = LENGTH_FIELD + 18;

    private static final int TAGGED_FLAG = 0x80;
    private static final int LAST_FLAG = 0x40;
    private static final int DDP_VERSION = 1;
    private static final int RDMAP_VERSION = 1 << 6;

    private Opcode opcode = Opcode.SEND;
    private boolean last;
    private int length;
    private int stag;
    private int sequence;
    private long offset;

    Segment() {}

    /** The length in bytes of the length field and header that begin with these {@link #TAGGED_HEAD} bytes. */
    static int headLength(ByteBuffer head) throws StreamException {
        int headLength = (head.get(LENGTH_FIELD) & TAGGED_FLAG) != 0 ? TAGGED_HEAD : UNTAGGED_HEAD;
        int ulpduLength = Short.toUnsignedInt(head.getShort(0));
        if (LENGTH_FIELD + ulpduLength < headLength) {
            throw StreamException.violation(
                    TerminateCode.MPA_LENGTH, "FPDU of " + ulpduLength + " bytes is shorter than its DDP header");
        }
        return headLength;
    }

    /** Sets this up from the complete header at the start of {@code head}. */
    void parse(ByteBuffer head) throws StreamException {
        length = LENGTH_FIELD + Short.toUnsignedInt(head.getShort(0)) - headLength(head);
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
        Opcode known = Opcode.of(rdmap & 0xf);
        if (known == null || known.isTagged() != tagged) {
            throw StreamException.violation(
                    TerminateCode.RDMAP_OPCODE,
                    "opcode " + (rdmap & 0xf) + " in " + (tagged ? "a tagged" : "an untagged") + " segment");
        }
        opcode = known;
        last = (ddp & LAST_FLAG) != 0;
        stag = head.getInt(4);
        if (tagged) {
            offset = head.getLong(8);
            return;
        }
        int queue = head.getInt(8);
        if (queue != opcode.queue()) {
            throw StreamException.violation(
                    TerminateCode.DDP_QUEUE,
                    opcode + " on queue " + Integer.toUnsignedString(queue) + ", not " + opcode.queue());
        }
        sequence = head.getInt(12);
        offset = Integer.toUnsignedLong(head.getInt(16));
    }

    /** The message type. */
    public Opcode opcode() {
        return opcode;
    }

    /** Whether this is a segment of a Write or Read Response, which names its destination. */
    public boolean isTagged() {
        return opcode.isTagged();
    }

    /** Whether this is the message's last segment. */
    public boolean last() {
        return last;
    }

    /** Payload bytes. */
    public int length() {
        return length;
    }

    /** The STag of a tagged segment's destination; for an untagged segment, the STag to invalidate if its type has one. */
    public int stag() {
        return stag;
    }

    /** The number of an untagged segment's message on its queue (MSN). */
    public int sequence() {
        return sequence;
    }

    /** The tagged offset; for an untagged segment the offset in its message (MO), an unsigned 32-bit number. */
    public long offset() {
        return offset;
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

    /** RDMAP message types (RFC 5040 section 4.1). */
    public enum Opcode {
        WRITE(0, -1),
        READ_REQUEST(1, 1),
        READ_RESPONSE(2, -1),
        SEND(3, 0),
        SEND_INVALIDATE(4, 0),
        SEND_SOLICITED(5, 0),
        SEND_SOLICITED_INVALIDATE(6, 0),
        TERMINATE(7, 2);

        private static final Opcode[] ALL = values();

        private final int code;
        private final int queue;

        Opcode(int code, int queue) {
            this.code = code;
            this.queue = queue;
        }

        /** The opcode on the wire. */
        int code() {
            return code;
        }

        /** The DDP queue of messages of this type; -1 if they are tagged. */
        public int queue() {
            return queue;
        }

        boolean isTagged() {
            return queue < 0;
        }

        /** Whether messages of this type carry an STag to invalidate. */
        public boolean invalidates() {
            return this == SEND_INVALIDATE || this == SEND_SOLICITED_INVALIDATE;
        }

        /** The type with this opcode; null if it is not supported. */
        static @Nullable Opcode of(int code) {
            for (Opcode opcode : ALL) {
                if (opcode.code == code) {
                    return opcode;
                }
            }
            return null;
        }
    }

    /**
     * The payload of an RDMA Read Request (RFC 5040 section 4.4).
     *
     * @param length an unsigned 32-bit number
     */
    public record ReadRequest(int sinkStag, long sinkOffset, long length, int sourceStag, long sourceOffset) {
        /** Length of the payload in bytes. */
        public static final int LENGTH = 28;

        /** Reads a request from the first {@link #LENGTH} bytes. */
        public static ReadRequest parse(ByteBuffer bytes) {
            return new ReadRequest(
                    bytes.getInt(0),
                    bytes.getLong(4),
                    Integer.toUnsignedLong(bytes.getInt(12)),
                    bytes.getInt(16),
                    bytes.getLong(20));
        }

        /** Writes the payload on the wire at the buffer's position. */
        void putInto(ByteBuffer payload) {
            payload.putInt(sinkStag)
                    .putLong(sinkOffset)
                    .putInt((int) length)
                    .putInt(sourceStag)
                    .putLong(sourceOffset);
        }
    }
}
