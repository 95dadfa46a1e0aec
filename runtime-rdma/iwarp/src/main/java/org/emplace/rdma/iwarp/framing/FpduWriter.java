// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.emplace.rdma.iwarp.tcp.Wire;
import org.jspecify.annotations.Nullable;

/**
 * Puts messages on the wire as FPDUs (RFC 5044 section 4): several at a time in one gathering write of headers, the payload where it
 * lies, pads and CRCs. Only payload on the heap, that of Read Requests and Terminates, is copied among the framing.
 */
public final class FpduWriter {
    /** Largest payload of an FPDU: whole pages, below the 64 KiB that the length field can say. */
    public static final int PAYLOAD_LIMIT = 15 * 4096;

    /** Bytes after which a batch takes no further FPDU; about what a socket's send buffer takes. */
    private static final int BATCH_LIMIT = 4 * PAYLOAD_LIMIT;
    /** Room that an FPDU's header and trailer may take, and a payload that lies in no registered memory. */
    private static final int FRAMING_LIMIT = Segment.UNTAGGED_HEAD + TerminateMessage.LIMIT + 8;

    private static final int FRAMING_SPACE = 4096;
    /** Batches written in one turn, before other connections have theirs. */
    private static final int TURNS = 4;

    private final Wire wire;
    private final @Nullable CRC32C crc;
    private final Supplier<@Nullable OutboundMessage> source;
    private final ByteBuffer framing = ByteBuffer.allocateDirect(FRAMING_SPACE);
    /** Views of the framing, used anew for each batch. */
    private final List<ByteBuffer> views = new ArrayList<>();

    private final List<ByteBuffer> payload = new ArrayList<>();
    private final Queue<OutboundMessage> endingInBatch = new ArrayDeque<>();
    /** The first {@link #batched} are the batch, the first {@link #written} of them have been written. */
    private ByteBuffer[] batch = new ByteBuffer[8];

    private int batched;
    private int written;
    private int viewed;
    /** Where the framing begins that is not in the batch yet. */
    private int unbatched;

    private @Nullable OutboundMessage current;
    private @Nullable OutboundMessage lastMessage;
    private boolean cut;

    /**
     * A writer at the start of a stream of FPDUs.
     *
     * @param withCrc whether CRCs are computed; else they are 0
     * @param source gives the next message to send, or null if there is none now
     */
    public FpduWriter(Wire wire, boolean withCrc, Supplier<@Nullable OutboundMessage> source) {
        this.wire = wire;
        this.crc = withCrc ? new CRC32C() : null;
        this.source = source;
    }

    /**
     * Takes no more from the source, leaves the message under way where it is after the FPDUs already begun, and ends with this one.
     */
    public void endWith(@Nullable OutboundMessage message) {
        cut = true;
        current = null;
        lastMessage = message;
    }

    /** Writes what the socket takes, in bounds. @return whether nothing is left to write */
    public boolean write() throws IOException {
        for (int turn = 0; turn < TURNS; turn++) {
            if (written == batched && !fill()) {
                return true;
            }
            if (!writeBatch()) {
                return false;
            }
        }
        return written == batched && !fill();
    }

    private boolean writeBatch() throws IOException {
        while (written < batched) {
            long taken = wire.write(batch, written, batched - written);
            while (written < batched && !batch[written].hasRemaining()) {
                written++;
            }
            if (taken == 0 && written < batched) {
                return false;
            }
        }
        for (OutboundMessage ended = endingInBatch.poll(); ended != null; ended = endingInBatch.poll()) {
            ended.written();
        }
        return true;
    }

    /** Builds the next batch. @return whether there is anything in it */
    private boolean fill() {
        framing.clear();
        unbatched = 0;
        viewed = 0;
        batched = 0;
        written = 0;
        int bytes = 0;
        while (bytes < BATCH_LIMIT && framing.remaining() >= FRAMING_LIMIT) {
            OutboundMessage message = current != null ? current : nextMessage();
            if (message == null) {
                break;
            }
            Segment segment = append(message);
            bytes += segment.length();
            current = segment.last() ? null : message;
            if (segment.last()) {
                endingInBatch.add(message);
            }
        }
        batchFraming();
        Arrays.fill(batch, batched, batch.length, null);
        return batched > 0;
    }

    private @Nullable OutboundMessage nextMessage() {
        if (!cut) {
            return source.get();
        }
        OutboundMessage last = lastMessage;
        lastMessage = null;
        return last;
    }

    private Segment append(OutboundMessage message) {
        Segment segment = message.next(PAYLOAD_LIMIT, payload);
        int start = framing.position();
        segment.write(framing);
        int pad = (start - framing.position() - segment.length()) & 3;
        if (crc != null) {
            crc.reset();
        }
        updateCrc(framing, start, framing.position());
        for (ByteBuffer piece : payload) {
            updateCrc(piece, piece.position(), piece.limit());
            if (piece.isDirect()) {
                batchFraming();
                batch(piece);
            } else {
                framing.put(piece);
            }
        }
        int end = framing.position();
        for (int i = 0; i < pad; i++) {
            framing.put((byte) 0);
        }
        updateCrc(framing, end, end + pad);
        framing.putInt(crc == null ? 0 : Integer.reverseBytes((int) crc.getValue()));
        payload.clear();
        return segment;
    }

    private void updateCrc(ByteBuffer bytes, int from, int to) {
        if (crc != null) {
            int position = bytes.position();
            int limit = bytes.limit();
            crc.update(bytes.limit(to).position(from));
            bytes.limit(limit).position(position);
        }
    }

    /** Puts the framing that follows the last payload into the batch: a trailer, the next header, or both in one piece. */
    private void batchFraming() {
        int end = framing.position();
        if (end > unbatched) {
            if (viewed == views.size()) {
                views.add(framing.duplicate());
            }
            batch(views.get(viewed++).limit(end).position(unbatched));
            unbatched = end;
        }
    }

    private void batch(ByteBuffer bytes) {
        if (batched == batch.length) {
            batch = Arrays.copyOf(batch, 2 * batched);
        }
        batch[batched++] = bytes;
    }
}
