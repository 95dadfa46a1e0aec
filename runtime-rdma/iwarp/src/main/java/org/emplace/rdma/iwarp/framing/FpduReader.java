// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.emplace.rdma.iwarp.framing.StreamException.TerminateCode;
import org.jspecify.annotations.Nullable;

/**
 * Reads FPDUs from the socket (RFC 5044 section 4). A scattering read fills the rest of a payload's destination and a buffer for the bytes that
 * follow. The reader borrows this buffer for each read.
 *
 * <p>A small message takes one read. The read after it fills the buffer with whatever follows, and payload is copied from there to its destination.
 * Bulk data is not copied: after a longer message, and while {@link Sink#expectsTagged}, the buffer has room only for a trailer and the next header.
 */
public final class FpduReader {

    /** Determines where segments are placed. */
    public interface Sink {
        /**
         * Called when a segment's header has arrived.
         *
         * @param segment valid until {@link #placed} returns
         * @return the destination of its payload, with exactly its length; null if there is none yet, and the next {@link FpduReader#read} asks again
         */
        @Nullable
        ByteBuffer place(Segment segment) throws StreamException;

        /** The segment placed last is complete and its CRC is correct. */
        void placed(Segment segment) throws StreamException;

        /** Whether tagged segments may arrive, whose payload is not to be copied. */
        boolean expectsTagged();

        /** Whether the segment placed last is the last one of this turn: {@link FpduReader#read} returns, whatever else has arrived. */
        boolean isTurnOver();
    }

    /** The outcome of {@link #read}. */
    public enum Progress {
        /** The socket has no more bytes now. */
        DRAINED,
        /** The socket may have more bytes. */
        MORE,
        /** The current segment has no destination yet. */
        HELD,
        /** The sink takes no more in this turn. The selector does not report bytes that were read ahead. */
        TURN_OVER,
        /** The peer has ended the stream. */
        END
    }

    /** The most socket reads of one call, so that other connections are served. */
    private static final int TURNS = 16;
    /** The longest small message: the FPDU of a Send of 8 KiB, a common inline threshold. */
    private static final int SMALL = Segment.UNTAGGED_HEAD + 8192 + Integer.BYTES;
    /** Bytes read ahead after a small message, which may be several small messages. */
    private static final int READ_AHEAD = 16 * 1024;

    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

    private final Wire wire;
    private final @Nullable CRC32C crc;
    private final Supplier<ByteBuffer> scratch;
    private final Sink sink;
    private final Segment segment = new Segment();
    private final ByteBuffer head = ByteBuffer.allocate(Segment.UNTAGGED_HEAD);
    private final ByteBuffer trailer = ByteBuffer.allocate(8);
    /** The bytes after the current payload, consumed up to {@link #taken}. All are consumed before the next read. */
    private ByteBuffer ahead = NOTHING;
    /** Whether they are in scratch memory. */
    private boolean borrowed;

    private ByteBuffer payload = NOTHING;
    private final ByteBuffer[] window = new ByteBuffer[2];
    private int taken;
    /** Whether the last segment was a whole small message. */
    private boolean small;

    private int lastHead;
    private boolean inBody;
    private boolean held;
    private boolean turnOver;
    private int bytesRead;
    private boolean received;
    private int checked;

    /**
     * Creates a reader for the start of a stream of FPDUs.
     *
     * @param withCrc whether CRCs are checked
     * @param scratch supplies at least 16 KiB of direct memory, which the reader uses during one {@link #read}
     */
    public FpduReader(Wire wire, boolean withCrc, Supplier<ByteBuffer> scratch, Sink sink) {
        this.wire = wire;
        this.crc = withCrc ? new CRC32C() : null;
        this.scratch = scratch;
        this.sink = sink;
        trailer.order(ByteOrder.LITTLE_ENDIAN).limit(0);
        head.limit(Segment.TAGGED_HEAD);
    }

    /**
     * Reads and places the bytes that have arrived, up to a limit.
     *
     * @param most reads no further after so many bytes
     */
    public Progress read(int most) throws IOException, StreamException {
        turnOver = false;
        bytesRead = 0;
        try {
            if (held || taken < ahead.position()) {
                parse();
            }
            for (int turn = 0; turn < TURNS && !held && !turnOver && bytesRead < most; turn++) {
                ahead = scratch.get().clear().limit(wantedAhead());
                borrowed = true;
                taken = 0;
                int wanted = payload.remaining() + ahead.remaining();
                long count = receive();
                if (count < 0) {
                    return Progress.END;
                }
                bytesRead += (int) count;
                parse();
                if (count < wanted && !held && !turnOver) {
                    return Progress.DRAINED;
                }
            }
            if (turnOver) {
                return Progress.TURN_OVER;
            }
            return held ? Progress.HELD : Progress.MORE;
        } finally {
            leaveScratch();
        }
    }

    /** The number of bytes that the last {@link #read} has read. */
    public int bytesRead() {
        return bytesRead;
    }

    private long receive() throws IOException {
        if (!payload.hasRemaining()) {
            window[0] = ahead;
            return wire.read(window, 1);
        }
        window[0] = payload;
        window[1] = ahead;
        return wire.read(window, 2);
    }

    /** Saves the bytes that were read ahead and are not placed yet, because the scratch memory is only borrowed. */
    private void leaveScratch() {
        int left = ahead.position() - taken;
        if (left == 0) {
            ahead = NOTHING;
            taken = 0;
        } else if (borrowed) {
            ahead = ByteBuffer.allocate(left).put(0, ahead, taken, left).position(left);
            taken = 0;
        }
        borrowed = false;
        window[0] = NOTHING;
        window[1] = NOTHING;
    }

    /** Whether a complete and correct FPDU has arrived. */
    public boolean hasReceived() {
        return received;
    }

    /** Whether the position in the stream is between two FPDUs. */
    public boolean isAtBoundary() {
        return !inBody && head.position() == 0;
    }

    /** The length field and header of the segment that {@link #read} holds or failed at; empty if no header has arrived. */
    public byte[] lastHead() {
        return Arrays.copyOf(head.array(), lastHead);
    }

    /** The number of bytes to read beyond the current payload: its trailer, and a header or several small messages. */
    private int wantedAhead() {
        boolean tagged = sink.expectsTagged();
        if (small && !tagged) {
            return READ_AHEAD;
        }
        return trailer.remaining() + (tagged ? head.remaining() : Segment.UNTAGGED_HEAD - head.position());
    }

    private void parse() throws StreamException {
        while (true) {
            if (inBody) {
                copyInto(payload);
                checkArrived();
                copyInto(trailer);
                if (payload.hasRemaining() || trailer.hasRemaining()) {
                    return;
                }
                endBody();
                turnOver = sink.isTurnOver();
                if (turnOver) {
                    return;
                }
            }
            copyInto(head);
            if (head.hasRemaining()) {
                return;
            }
            head.limit(Segment.headLength(head));
            copyInto(head);
            if (head.hasRemaining()) {
                return;
            }
            beginBody();
            if (held) {
                return;
            }
        }
    }

    /** Copies as many bytes that were read ahead to a destination as fit. */
    private void copyInto(ByteBuffer place) {
        int count = Math.min(place.remaining(), ahead.position() - taken);
        if (count > 0) {
            place.put(place.position(), ahead, taken, count);
            place.position(place.position() + count);
            taken += count;
        }
    }

    private void beginBody() throws StreamException {
        lastHead = head.limit();
        segment.parse(head);
        ByteBuffer place = sink.place(segment);
        held = place == null;
        if (place == null) {
            return;
        }
        if (crc != null) {
            crc.reset();
            crc.update(head.array(), 0, lastHead);
        }
        int pad = -(lastHead + segment.length()) & 3;
        trailer.clear().limit(pad + Integer.BYTES);
        small = !segment.isTagged()
                && segment.offset() == 0
                && segment.last()
                && lastHead + segment.length() + trailer.limit() <= SMALL;
        payload = place;
        checked = place.position();
        head.clear().limit(Segment.TAGGED_HEAD);
        inBody = true;
    }

    /** Adds payload to the CRC as it arrives, while it is in the processor's cache. */
    private void checkArrived() {
        int arrived = payload.position();
        if (crc != null && arrived > checked) {
            int end = payload.limit();
            crc.update(payload.limit(arrived).position(checked));
            payload.limit(end);
        }
        checked = arrived;
    }

    private void endBody() throws StreamException {
        int pad = trailer.limit() - Integer.BYTES;
        int sent = trailer.getInt(pad);
        if (crc != null) {
            crc.update(trailer.array(), 0, pad);
            int computed = (int) crc.getValue();
            if (computed != sent) {
                throw StreamException.violation(
                        TerminateCode.MPA_CRC, String.format("FPDU has CRC %08x, its bytes give %08x", sent, computed));
            }
        }
        inBody = false;
        received = true;
        payload = NOTHING;
        trailer.position(0).limit(0);
        sink.placed(segment);
    }
}
