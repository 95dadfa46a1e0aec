// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.iwarp.framing.FpduWriter.Message;
import org.emplace.rdma.iwarp.framing.Segment.Opcode;
import org.emplace.rdma.iwarp.memory.Region;
import org.jspecify.annotations.Nullable;

/**
 * FPDUs for one gathering write: headers, payloads, pads and CRCs. Payload is written from its own memory, except the payload of a short Send and
 * payload on the heap: these are copied to the framing buffer, which costs less than a buffer of their own. Reusable once it is written.
 */
final class FpduBatch {
    /** No FPDU is added once the batch has this many bytes, about the size of a socket's send buffer. */
    private static final int BYTES = 4 * FpduWriter.PAYLOAD_LIMIT;

    private static final int FRAMING_SPACE = 16 * 1024;
    /** The longest payload of a Send that is copied, in bytes. */
    private static final int COPY_LIMIT = 1024;
    /** The most bytes of one FPDU in the framing buffer: header, copied payload, pad and CRC. */
    private static final int FRAMING_LIMIT = Segment.UNTAGGED_HEAD + COPY_LIMIT + 3 + Integer.BYTES;

    private final ByteBuffer framing = ByteBuffer.allocateDirect(FRAMING_SPACE);
    /** Views of the framing buffer, reused for each batch. */
    private final List<ByteBuffer> views = new ArrayList<>();

    /** The batch is the first {@link #count} buffers, of which the first {@link #written} have been written. */
    private ByteBuffer[] buffers = new ByteBuffer[8];
    /** The regions of which the buffers are views; null for views of the framing buffer. */
    private @Nullable Region[] regions = new Region[8];

    private int count;
    private int written;
    private int viewed;
    /** The start of the framing bytes that no view covers yet. */
    private int unbuffered;

    /** The types of the messages that end in this batch, and the number of bytes up to each end. */
    private Opcode[] endings = new Opcode[8];

    private long[] endsAt = new long[8];
    private int ends;
    private int ended;
    private long bytes;
    private long bytesWritten;
    /** How many bytes the last {@link #write} has written. */
    private long taken;

    boolean isEmpty() {
        return bytes == 0;
    }

    /** Whether another FPDU may be added. */
    boolean hasRoom() {
        return bytes < BYTES && framing.remaining() >= FRAMING_LIMIT;
    }

    /** Adds the next FPDU of a message. */
    void add(Message message, @Nullable CRC32C crc) {
        int length = (int) Math.min(message.left(), FpduWriter.PAYLOAD_LIMIT);
        boolean last = length == message.left();
        int start = framing.position();
        message.putHead(framing, length);
        int pad = (start - framing.position() - length) & 3;
        int checked = start;
        if (crc != null) {
            crc.reset();
        }
        ByteBuffer control = message.control();
        if (control != null) {
            framing.put(control);
            bytes += framing.position() - start;
        } else if (length <= COPY_LIMIT && !message.opcode().isTagged()) {
            copy(message, length);
            bytes += framing.position() - start;
        } else {
            check(crc, start, framing.position());
            bytes += framing.position() - start + length;
            gather(message, length, crc);
            checked = framing.position();
        }
        for (int i = 0; i < pad; i++) {
            framing.put((byte) 0);
        }
        check(crc, checked, framing.position());
        framing.putInt(crc == null ? 0 : Integer.reverseBytes((int) crc.getValue()));
        bytes += pad + Integer.BYTES;
        if (last) {
            markEnd(message.opcode());
            message.clear();
        }
    }

    private void copy(Message message, int length) {
        for (int missing = length; missing > 0; ) {
            MemorySegment piece = message.piece();
            int taken = Math.min(missing, piece.length() - message.taken());
            Region.of(piece).copy(piece.offset() + message.taken(), taken, framing);
            message.advance(taken);
            missing -= taken;
        }
    }

    private void gather(Message message, int length, @Nullable CRC32C crc) {
        for (int missing = length; missing > 0; ) {
            MemorySegment piece = message.piece();
            int taken = Math.min(missing, piece.length() - message.taken());
            Region region = Region.of(piece);
            ByteBuffer payload = region.acquireView(piece.offset() + message.taken(), taken);
            if (crc != null) {
                int position = payload.position();
                crc.update(payload);
                payload.position(position);
            }
            bufferFraming();
            buffer(payload, region);
            message.advance(taken);
            missing -= taken;
        }
    }

    private void check(@Nullable CRC32C crc, int from, int to) {
        if (crc != null) {
            crc.update(framing.limit(to).position(from));
            framing.limit(FRAMING_SPACE);
        }
    }

    /** Adds a view of the framing bytes after the last payload: a trailer, the next header, or both. */
    private void bufferFraming() {
        int end = framing.position();
        if (end > unbuffered) {
            if (viewed == views.size()) {
                views.add(framing.duplicate());
            }
            buffer(views.get(viewed++).limit(end).position(unbuffered), null);
            unbuffered = end;
        }
    }

    private void buffer(ByteBuffer part, @Nullable Region region) {
        if (count == buffers.length) {
            buffers = Arrays.copyOf(buffers, 2 * count);
            regions = Arrays.copyOf(regions, 2 * count);
        }
        buffers[count] = part;
        regions[count] = region;
        count++;
    }

    private void markEnd(Opcode opcode) {
        if (ends == endings.length) {
            endings = Arrays.copyOf(endings, 2 * ends);
            endsAt = Arrays.copyOf(endsAt, 2 * ends);
        }
        endings[ends] = opcode;
        endsAt[ends] = bytes;
        ends++;
    }

    /**
     * Writes as much as the socket takes.
     *
     * @param source told of each message of which TCP has taken the last byte
     * @return whether everything is written; the batch is then empty
     */
    boolean write(Wire wire, FpduWriter.Source source) throws IOException {
        bufferFraming();
        taken = 0;
        while (written < count) {
            long now = wire.write(buffers, written, count - written);
            bytesWritten += now;
            taken += now;
            while (ended < ends && endsAt[ended] <= bytesWritten) {
                source.written(endings[ended++]);
            }
            while (written < count && !buffers[written].hasRemaining()) {
                releaseView(written++);
            }
            if (now == 0 && written < count) {
                return false;
            }
        }
        clear();
        return true;
    }

    /** How many bytes the last {@link #write} has written. */
    long taken() {
        return taken;
    }

    private void releaseView(int index) {
        Region region = regions[index];
        if (region != null) {
            region.releaseView(buffers[index]);
            regions[index] = null;
        }
    }

    private void clear() {
        // Another message may use a view that was released.
        Arrays.fill(buffers, 0, count, null);
        framing.clear();
        count = 0;
        written = 0;
        viewed = 0;
        unbuffered = 0;
        ends = 0;
        ended = 0;
        bytes = 0;
        bytesWritten = 0;
    }
}
