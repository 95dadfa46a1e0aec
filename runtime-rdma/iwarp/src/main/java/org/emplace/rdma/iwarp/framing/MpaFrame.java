// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.emplace.rdma.ConnectionParameters;
import org.jspecify.annotations.Nullable;

/**
 * An MPA request or reply (RFC 5044 section 7.1.1, RFC 6581 sections 6 and 9).
 *
 * @param readLimits the limits of RDMA Reads that the sender offers; null without enhanced connection set-up
 * @param privateData the consumer's private data
 */
@SuppressWarnings("ArrayRecordComponent") // opaque bytes; these records are never compared
public record MpaFrame(
        Kind kind,
        int revision,
        boolean markers,
        boolean crc,
        boolean rejected,
        @Nullable ReadLimits readLimits,
        byte[] privateData) {

    /** Bytes before the private data. */
    private static final int HEADER = 20;
    /** The longest private data of a frame in bytes, read limits included. */
    private static final int PRIVATE_DATA_LIMIT = 512;
    /** The longest private data of a consumer in bytes. */
    static final int CONSUMER_DATA_LIMIT = PRIVATE_DATA_LIMIT - ReadLimits.LENGTH;

    private static final int KEY = 16;
    private static final int MARKERS = 0x80;
    private static final int CRC = 0x40;
    private static final int REJECTED = 0x20;
    private static final int ENHANCED = 0x10;

    /** The two kinds of frame, with the key that each starts with. */
    public enum Kind {
        REQUEST("MPA ID Req Frame"),
        REPLY("MPA ID Rep Frame");

        private final String key;

        Kind(String key) {
            this.key = key;
        }
    }

    /**
     * The numbers of inbound and outbound RDMA Reads that a side offers (IRD and ORD).
     *
     * @param ready the ready-to-receive message of this connection
     */
    public record ReadLimits(int inbound, int outbound, ReadyToReceive ready) {
        static final int LENGTH = 4;
        /** The value of a limit that is not negotiated. */
        static final int UNNEGOTIATED = 0x3fff;
        /** The largest limit that can be negotiated. */
        static final int MAXIMUM = UNNEGOTIATED - 1;

        private static final int FIRST_BIT = 0x8000;

        static ReadLimits parse(ByteBuffer bytes) {
            int first = bytes.getShort();
            int second = bytes.getShort();
            return new ReadLimits(first & UNNEGOTIATED, second & UNNEGOTIATED, ReadyToReceive.of(first, second));
        }

        void write(ByteBuffer bytes) {
            bytes.putShort((short) ((ready == ReadyToReceive.NONE ? 0 : FIRST_BIT) | inbound));
            bytes.putShort((short) (ready.form | outbound));
        }
    }

    /**
     * The message of length zero that an initiator sends first in the peer-to-peer model (RFC 6581 section 9.2). Of the forms that a request
     * offers, this side chooses the Write, or the Read if there is no Write. It never chooses the Send, which would use up one of the
     * consumer's Receives.
     */
    public enum ReadyToReceive {
        /** The client-server model: the initiator sends when it has something to send. */
        NONE(0),
        WRITE(0x8000),
        READ(0x4000);

        private final int form;

        ReadyToReceive(int form) {
            this.form = form;
        }

        private static ReadyToReceive of(int first, int second) {
            if ((first & ReadLimits.FIRST_BIT) == 0) {
                return NONE;
            }
            return (second & (WRITE.form | READ.form)) == READ.form ? READ : WRITE;
        }
    }

    /** Length in bytes of the private data that follow a header. */
    private static int privateDataLength(ByteBuffer header) {
        return Short.toUnsignedInt(header.getShort(HEADER - 2));
    }

    /** Checks the first 20 bytes of a frame that must be of this kind. */
    private static void checkHeader(Kind kind, ByteBuffer header) throws StreamException {
        byte[] key = new byte[KEY];
        header.get(0, key);
        if (!new String(key, ISO_8859_1).equals(kind.key)) {
            throw StreamException.unanswered("the peer does not start with an MPA "
                    + kind.name().toLowerCase(Locale.ROOT) + ": it does not speak iWARP on this port");
        }
        if (privateDataLength(header) > PRIVATE_DATA_LIMIT) {
            throw StreamException.unanswered(
                    "MPA private data of " + privateDataLength(header) + " bytes is longer than 512");
        }
    }

    /** Reads a frame whose header has passed {@link #checkHeader}. */
    private static MpaFrame parse(Kind kind, ByteBuffer whole) throws StreamException {
        int flags = whole.get(KEY);
        int revision = whole.get(KEY + 1);
        ByteBuffer data = whole.slice(HEADER, whole.limit() - HEADER);
        boolean enhanced = revision == 2 && (flags & ENHANCED) != 0;
        if (enhanced && data.remaining() < ReadLimits.LENGTH) {
            throw StreamException.unanswered("MPA frame with enhanced set-up lacks its read limits");
        }
        ReadLimits limits = enhanced ? ReadLimits.parse(data) : null;
        byte[] privateData = new byte[data.remaining()];
        data.get(privateData);
        return new MpaFrame(
                kind,
                revision,
                (flags & MARKERS) != 0,
                (flags & CRC) != 0,
                (flags & REJECTED) != 0,
                limits,
                privateData);
    }

    /** The frame on the wire. */
    public ByteBuffer toBytes() {
        int limits = readLimits == null ? 0 : ReadLimits.LENGTH;
        ByteBuffer bytes = ByteBuffer.allocateDirect(HEADER + limits + privateData.length);
        bytes.put(kind.key.getBytes(ISO_8859_1));
        bytes.put((byte) ((markers ? MARKERS : 0)
                | (crc ? CRC : 0)
                | (rejected ? REJECTED : 0)
                | (readLimits != null ? ENHANCED : 0)));
        bytes.put((byte) revision);
        bytes.putShort((short) (limits + privateData.length));
        if (readLimits != null) {
            readLimits.write(bytes);
        }
        return bytes.put(privateData).flip();
    }

    /** Reads one MPA frame from the socket, and no bytes after it. */
    public static final class Reader {
        private final Wire wire;
        private final Kind kind;
        private final ByteBuffer[] bytes = {ByteBuffer.allocateDirect(HEADER + PRIVATE_DATA_LIMIT)};
        private boolean headerChecked;

        /**
         * Creates a reader for the start of a connection.
         *
         * @param kind the kind of frame that the peer must send
         */
        public Reader(Wire wire, Kind kind) {
            this.wire = wire;
            this.kind = kind;
            bytes[0].limit(HEADER);
        }

        /** Returns the frame, or null if more bytes must arrive. @throws EOFException if the peer has ended the stream */
        public @Nullable MpaFrame read() throws IOException, StreamException {
            if (!fill()) {
                return null;
            }
            if (!headerChecked) {
                checkHeader(kind, bytes[0]);
                headerChecked = true;
                bytes[0].limit(HEADER + privateDataLength(bytes[0]));
                if (!fill()) {
                    return null;
                }
            }
            return parse(kind, bytes[0]);
        }

        private boolean fill() throws IOException {
            while (bytes[0].hasRemaining()) {
                long count = wire.read(bytes, 1);
                if (count < 0) {
                    throw new EOFException("closed in the middle of connection set-up");
                }
                if (count == 0) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * Makes the MPA frames of either side and derives the negotiated values from both frames (RFC 6581 section 9.1): each side's outbound Reads do not
     * exceed the other's inbound Reads. CRC is on if the initiator requests it; Linux rejects a reply that requests CRC on its own.
     */
    public static final class ReadNegotiation {
        /** Frames without enhanced set-up do not name a number of Reads. This side then assumes that the peer answers one at a time. */
        private static final int UNSPECIFIED = 1;
        /** The most Reads that MPA can negotiate. */
        public static final int LARGEST = ReadLimits.MAXIMUM;

        private ReadNegotiation() {}

        /**
         * The result of the negotiation.
         *
         * @param inboundReads RDMA Reads that the peer may have outstanding
         * @param outboundReads RDMA Reads that this side may have outstanding
         * @param privateData of the peer
         * @param maySendFirst whether this side may send before it has received, as only the initiator may (RFC 5044 section 7.1.2)
         */
        @SuppressWarnings("ArrayRecordComponent") // opaque bytes; these records are never compared
        public record Negotiated(
                boolean crc, int inboundReads, int outboundReads, byte[] privateData, boolean maySendFirst) {}

        /**
         * The private data to send to the peer. Asks the consumer once. Software iWARP supports remote invalidation.
         *
         * @throws IllegalArgumentException if the private data is too long
         */
        public static byte[] privateData(ConnectionParameters parameters) {
            byte[] offered = parameters.privateData().offer(true);
            check(offered);
            return offered.clone();
        }

        /**
         * Checks that MPA can carry private data.
         *
         * @throws IllegalArgumentException if the private data is too long
         */
        public static void check(byte[] privateData) {
            if (privateData.length > MpaFrame.CONSUMER_DATA_LIMIT) {
                throw new IllegalArgumentException("private data of " + privateData.length + " bytes: MPA carries "
                        + MpaFrame.CONSUMER_DATA_LIMIT + " at most");
            }
        }

        /**
         * The initiator's frame.
         *
         * @throws IllegalArgumentException if the private data is too long
         */
        public static MpaFrame request(int revision, boolean crc, ConnectionParameters parameters) {
            ReadLimits limits = revision == 1
                    ? null
                    : new ReadLimits(
                            Math.min(parameters.inboundReads(), LARGEST),
                            Math.min(parameters.outboundReads(), LARGEST),
                            ReadyToReceive.NONE);
            return new MpaFrame(Kind.REQUEST, revision, false, crc, false, limits, privateData(parameters));
        }

        /** The number of Reads that the sender of a request answers at a time. */
        public static int inboundReadsOf(MpaFrame request) {
            ReadLimits limits = request.readLimits();
            return limits == null ? UNSPECIFIED : limits.inbound();
        }

        /** The negotiated values of a responder that accepts a request. */
        public static Negotiated respond(MpaFrame request, ConnectionParameters parameters) {
            int outbound = Integer.highestOneBit(Math.min(parameters.outboundReads(), inboundReadsOf(request)));
            return new Negotiated(request.crc(), parameters.inboundReads(), outbound, request.privateData(), false);
        }

        /** The frame with which a responder accepts. It does not negotiate a limit that the initiator does not negotiate. */
        public static MpaFrame reply(MpaFrame request, Negotiated negotiated, byte[] privateData) {
            ReadLimits offered = request.readLimits();
            ReadLimits limits = offered == null
                    ? null
                    : new ReadLimits(
                            answer(offered.outbound(), negotiated.inboundReads()),
                            answer(offered.inbound(), negotiated.outboundReads()),
                            offered.ready());
            return new MpaFrame(Kind.REPLY, request.revision(), false, request.crc(), false, limits, privateData);
        }

        /** The frame with which a responder rejects. */
        public static MpaFrame rejection(MpaFrame request, byte[] privateData) {
            ReadLimits limits = request.readLimits() == null ? null : new ReadLimits(0, 0, ReadyToReceive.NONE);
            return new MpaFrame(Kind.REPLY, request.revision(), false, request.crc(), true, limits, privateData);
        }

        /** The negotiated values of an initiator that gets a reply. Software iWARP supports as many inbound Reads as the responder requests. */
        public static Negotiated conclude(MpaFrame request, MpaFrame reply, ConnectionParameters parameters) {
            ReadLimits limits = reply.readLimits();
            int outbound = limits == null ? UNSPECIFIED : limits.inbound();
            int inbound = limits == null ? UNSPECIFIED : limits.outbound();
            return new Negotiated(
                    request.crc() || reply.crc(),
                    Math.max(parameters.inboundReads(), inbound),
                    Math.min(parameters.outboundReads(), outbound),
                    reply.privateData(),
                    true);
        }

        private static int answer(int offered, int own) {
            return offered == ReadLimits.UNNEGOTIATED ? offered : Math.min(own, LARGEST);
        }
    }
}
