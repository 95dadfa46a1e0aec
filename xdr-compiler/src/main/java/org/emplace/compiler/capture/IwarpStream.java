// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * One direction of an iWARP connection: MPA (RFC 5044, RFC 6581), DDP (RFC 5041) and RDMAP (RFC 5040). After a gap it resumes at the next TCP segment that
 * begins like a message.
 */
final class IwarpStream {
    private static final byte[] REQUEST_KEY = "MPA ID Req Frame".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] REPLY_KEY = "MPA ID Rep Frame".getBytes(StandardCharsets.US_ASCII);
    private static final int MPA_HEADER = 20;
    private static final int MARKERS = 0x80;
    private static final int CRC = 0x40;
    private static final int REJECTED = 0x20;
    private static final int MARKER_SPACING = 512;
    private static final int MARKER = 4;

    private static final int TAGGED_HEADER = 14;
    private static final int UNTAGGED_HEADER = 18;
    private static final int READ_REQUEST_LENGTH = UNTAGGED_HEADER + 28;
    private static final int TAGGED = 0x80;
    private static final int LAST = 0x40;
    private static final int WRITE = 0;
    private static final int READ_REQUEST = 1;
    private static final int READ_RESPONSE = 2;
    private static final int SEND = 3;
    private static final int SEND_WITH_SOLICITED_EVENT_AND_INVALIDATE = 6;
    private static final int TERMINATE = 7;

    private enum State {
        /** The first bytes of the connection tell what it is. */
        BEGINNING,
        /** What follows are FPDUs. */
        OPEN,
        /** It is unknown where an FPDU begins. */
        LOST,
        /** Not iWARP. */
        OTHER
    }

    private final RdmaEvent.Side side;
    private final IwarpReads reads;
    private final RdmaEvent.Sink sink;
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();
    private State state = State.BEGINNING;
    private byte[] buffer = new byte[0];
    /** The unread part of the buffer. */
    private int start;

    private int end;
    /** Counted from the first FPDU, for markers. */
    private long position;

    private boolean isMarked;
    private boolean hasCrc = true;
    private int mpaFlags;
    private boolean isBrokenMessage;

    /** @param reads those of both directions */
    IwarpStream(RdmaEvent.Side side, IwarpReads reads, RdmaEvent.Sink sink) {
        this.side = side;
        this.reads = reads;
        this.sink = sink;
    }

    /** Says that the beginning of the connection is not in the capture. */
    void beginInTheMiddle() {
        state = State.LOST;
    }

    /** The MPA flags that this side set, which bind the other. */
    int mpaFlags() {
        return mpaFlags;
    }

    /** Takes the flags of the other side. */
    void bind(int flagsOfOther) {
        isMarked = (flagsOfOther & MARKERS) != 0;
        hasCrc = ((mpaFlags | flagsOfOther) & CRC) != 0;
    }

    /** Takes the next bytes, which begin with a TCP segment. */
    void take(ByteBuffer bytes, long nanoseconds) {
        if (state == State.LOST) {
            findBeginning(bytes);
        }
        if (state == State.LOST || state == State.OTHER) {
            return;
        }
        append(bytes);
        if (state == State.BEGINNING) {
            begin(nanoseconds);
        }
        while (state == State.OPEN && takeFpdu(nanoseconds)) {
            // Each turn takes one.
        }
    }

    /** Reports missing bytes. */
    void lost(long bytes, long nanoseconds) {
        if (state == State.OPEN) {
            sink.happened(nanoseconds, side, new RdmaEvent.Loss("%,d bytes are not in the capture".formatted(bytes)));
        }
        if (state != State.OTHER) {
            forget(State.LOST);
        }
        position += bytes;
    }

    private void append(ByteBuffer bytes) {
        makeRoom(bytes.remaining());
        if (state != State.OPEN || !isMarked) {
            int length = bytes.remaining();
            bytes.get(buffer, end, length);
            end += length;
            return;
        }
        while (bytes.hasRemaining()) {
            byte next = bytes.get();
            if (position++ % MARKER_SPACING >= MARKER) {
                buffer[end++] = next;
            }
        }
    }

    private void makeRoom(int length) {
        int unread = end - start;
        if (end + length > buffer.length) {
            byte[] roomy = unread + length > buffer.length / 2 ? new byte[2 * (unread + length)] : buffer;
            System.arraycopy(buffer, start, roomy, 0, unread);
            buffer = roomy;
            start = 0;
            end = unread;
        }
    }

    private void forget(State next) {
        state = next;
        start = 0;
        end = 0;
        isBrokenMessage = true;
    }

    /** The unread bytes. */
    private ByteBuffer unread() {
        return ByteBuffer.wrap(buffer, start, end - start).slice();
    }

    private void begin(long nanoseconds) {
        ByteBuffer frame = unread();
        if (!startsWith(frame, REQUEST_KEY) && !startsWith(frame, REPLY_KEY)) {
            forget(State.OTHER);
            buffer = new byte[0];
            return;
        }
        if (frame.limit() < MPA_HEADER) {
            return;
        }
        int length = MPA_HEADER + Short.toUnsignedInt(frame.getShort(18));
        if (frame.limit() < length) {
            return;
        }
        mpaFlags = frame.get(16);
        if ((mpaFlags & REJECTED) != 0) {
            sink.happened(nanoseconds, side, new RdmaEvent.Remark("refuses the connection"));
        }
        sink.happened(
                nanoseconds,
                side,
                new RdmaEvent.Setup(startsWith(frame, REQUEST_KEY), frame.slice(MPA_HEADER, length - MPA_HEADER)));
        byte[] rest = Arrays.copyOfRange(buffer, start + length, end);
        forget(State.OPEN);
        append(ByteBuffer.wrap(rest));
    }

    /** Whether bytes begin with a key, as far as there are any. */
    private static boolean startsWith(ByteBuffer bytes, byte[] key) {
        int known = Math.min(bytes.remaining(), key.length);
        return bytes.slice(bytes.position(), known).equals(ByteBuffer.wrap(key, 0, known));
    }

    /** Resumes where a segment begins with an MPA frame, or unmistakably with an untagged message. */
    private void findBeginning(ByteBuffer bytes) {
        boolean isFrame = startsWith(bytes, REQUEST_KEY) || startsWith(bytes, REPLY_KEY);
        if (isFrame && bytes.remaining() >= MPA_HEADER) {
            state = State.BEGINNING;
        } else if (beginsMessage(bytes.slice())) {
            state = State.OPEN;
            isMarked = false;
        }
    }

    private static boolean beginsMessage(ByteBuffer bytes) {
        if (bytes.remaining() < 2 + UNTAGGED_HEADER + 16) {
            return false;
        }
        int length = Short.toUnsignedInt(bytes.getShort(0));
        int opcode = bytes.get(3) & 0xf;
        int queue = bytes.getInt(8);
        if (!isFpdu(bytes.slice(2, bytes.remaining() - 2)) || bytes.getInt(16) != 0) {
            return false;
        }
        if (opcode == READ_REQUEST) {
            return queue == 1 && length == READ_REQUEST_LENGTH;
        }
        int header = 2 + UNTAGGED_HEADER;
        return isSend(opcode) && queue == 0 && bytes.getInt(header + 4) == 1 && (bytes.getInt(header + 12) & ~7) == 0;
    }

    private static boolean isFpdu(ByteBuffer ulpdu) {
        int control = ulpdu.get(0) & 0xff;
        int opcode = ulpdu.get(1) & 0xf;
        boolean isTagged = (control & TAGGED) != 0;
        return (control & 0x3f) == 1
                && (ulpdu.get(1) & 0xc0) == 0x40
                && opcode <= TERMINATE
                && isTagged == (opcode == WRITE || opcode == READ_RESPONSE);
    }

    private static boolean isSend(int opcode) {
        return opcode >= SEND && opcode <= SEND_WITH_SOLICITED_EVENT_AND_INVALIDATE;
    }

    private boolean takeFpdu(long nanoseconds) {
        ByteBuffer fpdu = unread();
        if (fpdu.limit() < 2) {
            return false;
        }
        int length = Short.toUnsignedInt(fpdu.getShort(0));
        int covered = (2 + length + 3) & ~3;
        if (length >= TAGGED_HEADER && fpdu.limit() < covered + 4) {
            return false;
        }
        ByteBuffer ulpdu = length < TAGGED_HEADER ? fpdu : fpdu.slice(2, length);
        if (length < TAGGED_HEADER || !isFpdu(ulpdu)) {
            lose("an FPDU is malformed", nanoseconds);
            return false;
        }
        checkCrc(fpdu, covered, nanoseconds);
        boolean isTagged = (ulpdu.get(0) & TAGGED) != 0;
        if (isTagged) {
            tagged(ulpdu, nanoseconds);
        } else if (length >= UNTAGGED_HEADER) {
            untagged(ulpdu, nanoseconds);
        }
        start += covered + 4;
        return true;
    }

    private void lose(String why, long nanoseconds) {
        sink.happened(nanoseconds, side, new RdmaEvent.Loss(why));
        forget(State.LOST);
    }

    /** With markers, a CRC is not checked: it covers them too, and they were removed here. */
    private void checkCrc(ByteBuffer fpdu, int covered, long nanoseconds) {
        int sent = fpdu.order(ByteOrder.LITTLE_ENDIAN).getInt(covered);
        fpdu.order(ByteOrder.BIG_ENDIAN);
        if (!hasCrc || isMarked || sent == 0) {
            return;
        }
        CRC32C crc = new CRC32C();
        crc.update(buffer, start, covered);
        if ((int) crc.getValue() != sent) {
            sink.happened(nanoseconds, side, new RdmaEvent.Remark("sends an FPDU whose CRC is wrong"));
        }
    }

    private void tagged(ByteBuffer ulpdu, long nanoseconds) {
        int handle = ulpdu.getInt(2);
        long offset = ulpdu.getLong(6);
        ByteBuffer data = ulpdu.slice(TAGGED_HEADER, ulpdu.remaining() - TAGGED_HEADER);
        boolean isLast = (ulpdu.get(0) & LAST) != 0;
        if ((ulpdu.get(1) & 0xf) == WRITE) {
            sink.happened(nanoseconds, side, new RdmaEvent.Write(handle, offset, data.remaining(), data, isLast));
            return;
        }
        Optional<RdmaEvent> response = reads.response(side, handle, offset, data, isLast);
        sink.happened(
                nanoseconds,
                side,
                response.orElseGet(
                        () -> new RdmaEvent.Loss("an RDMA Read Response answers no request in the capture")));
    }

    private void untagged(ByteBuffer ulpdu, long nanoseconds) {
        int opcode = ulpdu.get(1) & 0xf;
        ByteBuffer payload = ulpdu.slice(UNTAGGED_HEADER, ulpdu.remaining() - UNTAGGED_HEADER);
        if (opcode == READ_REQUEST && ulpdu.remaining() >= READ_REQUEST_LENGTH) {
            sink.happened(nanoseconds, side, reads.request(side, payload));
        } else if (opcode == TERMINATE && payload.remaining() >= 2) {
            sink.happened(
                    nanoseconds,
                    side,
                    new RdmaEvent.Remark("ends the connection with Terminate: layer %d, type %d, code %d"
                            .formatted((payload.get(0) >> 4) & 0xf, payload.get(0) & 0xf, payload.get(1) & 0xff)));
        } else if (isSend(opcode)) {
            send(ulpdu, payload, nanoseconds);
        }
    }

    private void send(ByteBuffer ulpdu, ByteBuffer payload, long nanoseconds) {
        int offset = ulpdu.getInt(14);
        if (offset == 0) {
            message.reset();
            isBrokenMessage = false;
        }
        isBrokenMessage |= offset != message.size();
        byte[] bytes = new byte[payload.remaining()];
        payload.get(bytes);
        message.writeBytes(bytes);
        if ((ulpdu.get(0) & LAST) == 0) {
            return;
        }
        sink.happened(
                nanoseconds,
                side,
                isBrokenMessage
                        ? new RdmaEvent.Loss("part of a message is not in the capture")
                        : new RdmaEvent.Send(ByteBuffer.wrap(message.toByteArray())));
        message.reset();
    }
}
