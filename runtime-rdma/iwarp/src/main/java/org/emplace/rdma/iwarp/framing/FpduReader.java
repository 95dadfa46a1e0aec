// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.emplace.rdma.iwarp.tcp.Wire;
import org.jspecify.annotations.Nullable;

/**
 * Takes FPDUs off the wire (RFC 5044 section 4). A segment's header is read alone; it tells where the payload belongs, and the next
 * scattering read fills that place, the trailer and the header that follows.
 */
public final class FpduReader {

    /** Where segments go. */
    public interface Sink {
        /**
         * A segment arrives.
         *
         * @return where its payload belongs, exactly as long; null if there is no place yet: the next {@link FpduReader#read} asks again
         */
        @Nullable
        ByteBuffer place(Segment segment) throws StreamException;

        /** The segment last placed is there and its CRC is right. */
        void placed() throws StreamException;
    }

    /** What a turn of reading came to. */
    public enum Progress {
        /** The socket has no more for now. */
        DRAINED,
        /** The socket may have more. */
        MORE,
        /** The segment at hand has no place yet. */
        HELD,
        /** The peer sends no more. */
        END
    }

    /** Reads of one turn, before other connections have theirs. */
    private static final int TURNS = 16;

    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

    private final Wire wire;
    private final @Nullable CRC32C crc;
    private final Sink sink;
    private final ByteBuffer head = ByteBuffer.allocateDirect(Segment.UNTAGGED_HEAD);
    private final ByteBuffer trailer = ByteBuffer.allocateDirect(8);
    private final ByteBuffer[] window = {NOTHING, trailer, head};
    private byte[] lastHead = {};
    private boolean inBody;
    private boolean held;
    private boolean received;
    private int checked;

    /**
     * A reader at the start of a stream of FPDUs.
     *
     * @param withCrc whether CRCs are checked
     */
    public FpduReader(Wire wire, boolean withCrc, Sink sink) {
        this.wire = wire;
        this.crc = withCrc ? new CRC32C() : null;
        this.sink = sink;
        trailer.order(ByteOrder.LITTLE_ENDIAN).limit(0);
        head.limit(Segment.TAGGED_HEAD);
    }

    /** Reads and places what has arrived, in bounds. */
    public Progress read() throws IOException, StreamException {
        if (held) {
            take();
        }
        for (int turn = 0; turn < TURNS && !held; turn++) {
            int wanted = window[0].remaining() + trailer.remaining() + head.remaining();
            long count = wire.read(window, window.length);
            if (count < 0) {
                return Progress.END;
            }
            take();
            if (count < wanted && !held) {
                return Progress.DRAINED;
            }
        }
        return held ? Progress.HELD : Progress.MORE;
    }

    /** Whether an FPDU has arrived, whole and right. */
    public boolean hasReceived() {
        return received;
    }

    /** Whether the stream stands between two FPDUs. */
    public boolean isAtBoundary() {
        return !inBody && head.position() == 0;
    }

    /** The length field and header of the last segment that arrived, right or wrong. */
    public byte[] lastHead() {
        return lastHead;
    }

    private void take() throws StreamException {
        while (true) {
            if (inBody) {
                checkArrived();
                if (window[0].hasRemaining() || trailer.hasRemaining()) {
                    return;
                }
                endBody();
            }
            if (head.hasRemaining()) {
                return;
            }
            head.limit(Segment.headLength(head));
            if (head.hasRemaining()) {
                return;
            }
            beginBody();
            if (held) {
                return;
            }
        }
    }

    private void beginBody() throws StreamException {
        lastHead = new byte[head.limit()];
        head.get(0, lastHead);
        Segment segment = Segment.parse(head);
        ByteBuffer payload = sink.place(segment);
        held = payload == null;
        if (payload == null) {
            return;
        }
        if (crc != null) {
            crc.reset();
            crc.update(head.flip());
        }
        int pad = -(head.limit() + segment.length()) & 3;
        window[0] = payload;
        checked = payload.position();
        trailer.clear().limit(pad + Integer.BYTES);
        head.clear().limit(Segment.TAGGED_HEAD);
        inBody = true;
    }

    /** Checks payload as it arrives, while it is in the processor's cache. */
    private void checkArrived() {
        ByteBuffer payload = window[0];
        if (crc != null && payload.position() > checked) {
            crc.update(payload.slice(checked, payload.position() - checked));
        }
        checked = payload.position();
    }

    private void endBody() throws StreamException {
        int pad = trailer.limit() - Integer.BYTES;
        int sent = trailer.getInt(pad);
        if (crc != null) {
            crc.update(trailer.slice(0, pad));
            int computed = (int) crc.getValue();
            if (computed != sent) {
                throw StreamException.violation(
                        TerminateCode.MPA_CRC, String.format("FPDU has CRC %08x, its bytes give %08x", sent, computed));
            }
        }
        inBody = false;
        received = true;
        window[0] = NOTHING;
        trailer.limit(0);
        sink.placed();
    }
}
