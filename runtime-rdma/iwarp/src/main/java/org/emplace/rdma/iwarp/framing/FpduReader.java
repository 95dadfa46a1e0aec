// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.emplace.rdma.iwarp.tcp.Wire;
import org.jspecify.annotations.Nullable;

/**
 * Reads FPDUs from the socket (RFC 5044 section 4). A scattering read fills the missing part of a payload in its place, and a buffer for what
 * follows. The reader borrows this buffer for the time of the read.
 *
 * <p>A small message takes one read. After a small message, the next read fills the buffer with whatever follows, and payload is copied from there to
 * its place. Bulk data is not copied: after a longer message, and while {@link Sink#expectsTagged}, the buffer takes a trailer and the next header
 * alone.
 */
public final class FpduReader {

    /** Where segments go. */
    public interface Sink {
        /**
         * A segment arrives.
         *
         * @param segment valid until {@link #placed} returns
         * @return the place of its payload, with exactly its length; null if there is none yet, and then the next {@link FpduReader#read} asks again
         */
        @Nullable
        ByteBuffer place(Segment segment) throws StreamException;

        /** The segment placed last is complete and its CRC is correct. */
        void placed(Segment segment) throws StreamException;

        /** Whether tagged segments may arrive, whose payload is not to be copied. */
        boolean expectsTagged();
    }

    /** The outcome of a turn of reading. */
    public enum Progress {
        /** The socket has no more for now. */
        DRAINED,
        /** The socket may have more. */
        MORE,
        /** The current segment has no place yet. */
        HELD,
        /** The peer sends no more. */
        END
    }

    /** The most reads of one turn, so that other connections get theirs. */
    private static final int TURNS = 16;
    /** A message is small if it fits into so many bytes: the FPDU of a Send of 8 KiB, the usual inline threshold. */
    private static final int SMALL = Segment.UNTAGGED_HEAD + 8192 + Integer.BYTES;
    /** Bytes read ahead after a small message: several more of them. */
    private static final int READ_AHEAD = 16 * 1024;

    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

    private final Wire wire;
    private final @Nullable CRC32C crc;
    private final Supplier<ByteBuffer> scratch;
    private final Sink sink;
    private final Segment segment = new Segment();
    private final ByteBuffer head = ByteBuffer.allocate(Segment.UNTAGGED_HEAD);
    private final ByteBuffer trailer = ByteBuffer.allocate(8);
    /** The bytes behind the current payload, consumed up to {@link #taken}; all are consumed when the next read begins. */
    private ByteBuffer ahead = NOTHING;

    private ByteBuffer payload = NOTHING;
    private final ByteBuffer[] window = new ByteBuffer[2];
    private int taken;
    /** Whether the last segment was all of a small message. */
    private boolean small;

    private int lastHead;
    private boolean inBody;
    private boolean held;
    private boolean received;
    private int checked;

    /**
     * A reader at the start of a stream of FPDUs.
     *
     * @param withCrc whether CRCs are checked
     * @param scratch gives direct memory, of at least 16 KiB, for as long as a {@link #read} lasts
     */
    public FpduReader(Wire wire, boolean withCrc, Supplier<ByteBuffer> scratch, Sink sink) {
        this.wire = wire;
        this.crc = withCrc ? new CRC32C() : null;
        this.scratch = scratch;
        this.sink = sink;
        trailer.order(ByteOrder.LITTLE_ENDIAN).limit(0);
        head.limit(Segment.TAGGED_HEAD);
    }

    /** Reads and places what has arrived, in bounds. */
    public Progress read() throws IOException, StreamException {
        try {
            if (held) {
                take();
            }
            for (int turn = 0; turn < TURNS && !held; turn++) {
                ahead = scratch.get().clear().limit(wantedAhead());
                taken = 0;
                int wanted = payload.remaining() + ahead.remaining();
                long count = receive();
                if (count < 0) {
                    return Progress.END;
                }
                take();
                if (count < wanted && !held) {
                    return Progress.DRAINED;
                }
            }
            return held ? Progress.HELD : Progress.MORE;
        } finally {
            leaveScratch();
        }
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

    /** Keeps the bytes that were read ahead and have no place yet. */
    private void leaveScratch() {
        int left = ahead.position() - taken;
        ByteBuffer kept = NOTHING;
        if (held && left > 0) {
            kept = ByteBuffer.allocate(left).put(0, ahead, taken, left).position(left);
        }
        ahead = kept;
        taken = 0;
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

    /** How many bytes the next read may take besides the current payload: its trailer, and a header or several small messages. */
    private int wantedAhead() {
        boolean tagged = sink.expectsTagged();
        if (small && !tagged) {
            return READ_AHEAD;
        }
        return trailer.remaining() + (tagged ? head.remaining() : Segment.UNTAGGED_HEAD - head.position());
    }

    private void take() throws StreamException {
        while (true) {
            if (inBody) {
                takeInto(payload);
                checkArrived();
                takeInto(trailer);
                if (payload.hasRemaining() || trailer.hasRemaining()) {
                    return;
                }
                endBody();
            }
            takeInto(head);
            if (head.hasRemaining()) {
                return;
            }
            head.limit(Segment.headLength(head));
            takeInto(head);
            if (head.hasRemaining()) {
                return;
            }
            beginBody();
            if (held) {
                return;
            }
        }
    }

    /** Moves bytes that were read ahead to their place, as many as fit. */
    private void takeInto(ByteBuffer place) {
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

    /** Checks payload as it arrives, while it is in the processor's cache. */
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
