// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.emplace.rdma.iwarp.tcp.Wire;
import org.jspecify.annotations.Nullable;

/**
 * Puts messages on the wire as FPDUs (RFC 5044 section 4): several at a time in one gathering write of headers, the payload where it
 * lies, pads and CRCs.
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
    private final List<ByteBuffer> payload = new ArrayList<>();
    private final List<ByteBuffer> batch = new ArrayList<>();
    private final List<OutboundMessage> endingInBatch = new ArrayList<>();
    private ByteBuffer[] pending = new ByteBuffer[0];
    private int written;
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
            if (written == pending.length && !fill()) {
                return true;
            }
            if (!writePending()) {
                return false;
            }
        }
        return written == pending.length && !fill();
    }

    private boolean writePending() throws IOException {
        while (written < pending.length) {
            long taken = wire.write(pending, written, pending.length - written);
            while (written < pending.length && !pending[written].hasRemaining()) {
                written++;
            }
            if (taken == 0 && written < pending.length) {
                return false;
            }
        }
        List<OutboundMessage> ended = List.copyOf(endingInBatch);
        endingInBatch.clear();
        ended.forEach(OutboundMessage::written);
        return true;
    }

    /** Builds the next batch. @return whether there is anything in it */
    private boolean fill() {
        framing.clear();
        batch.clear();
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
        pending = batch.toArray(ByteBuffer[]::new);
        written = 0;
        return pending.length > 0;
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
        payload.clear();
        Segment segment = message.next(PAYLOAD_LIMIT, payload);
        int start = framing.position();
        segment.write(framing);
        ByteBuffer head = framing.slice(start, framing.position() - start);
        payload.replaceAll(this::direct);
        batch.add(head);
        batch.addAll(payload);
        batch.add(trailer(head, segment.length()));
        return segment;
    }

    /** Registered memory as it is; the payload of a Read Request or Terminate among the framing. */
    private ByteBuffer direct(ByteBuffer piece) {
        if (piece.isDirect()) {
            return piece;
        }
        int start = framing.position();
        framing.put(piece);
        return framing.slice(start, framing.position() - start);
    }

    private ByteBuffer trailer(ByteBuffer head, int payloadLength) {
        int pad = -(head.remaining() + payloadLength) & 3;
        int start = framing.position();
        for (int i = 0; i < pad; i++) {
            framing.put((byte) 0);
        }
        int checksum = 0;
        if (crc != null) {
            crc.reset();
            crc.update(head.duplicate());
            for (ByteBuffer piece : payload) {
                crc.update(piece.duplicate());
            }
            crc.update(framing.slice(start, pad));
            checksum = (int) crc.getValue();
        }
        framing.order(ByteOrder.LITTLE_ENDIAN).putInt(checksum).order(ByteOrder.BIG_ENDIAN);
        return framing.slice(start, pad + Integer.BYTES);
    }
}
