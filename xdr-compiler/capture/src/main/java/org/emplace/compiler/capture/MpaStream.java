// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Finds the MPA frames in one direction of a TCP connection (RFC 5044, RFC 6581). After a gap it resumes at the next TCP segment that begins like a message. */
final class MpaStream implements ReorderBuffer.Receiver<Packet> {
    private static final ByteBuffer REQUEST_KEY = StandardCharsets.US_ASCII.encode("MPA ID Req Frame");
    private static final ByteBuffer REPLY_KEY = StandardCharsets.US_ASCII.encode("MPA ID Rep Frame");
    private static final int HEADER = 20;
    private static final int MARKERS = 0x80;
    private static final int CRC = 0x40;
    private static final int REJECTED = 0x20;
    private static final int MARKER_SPACING = 512;
    private static final int MARKER = 4;
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private enum State {
        /** At the first bytes of the connection, which show whether it is iWARP. */
        BEGINNING,
        /** In the FPDUs. */
        OPEN,
        /** After a gap: it is unknown where an FPDU begins. */
        LOST,
        /** Not iWARP. */
        OTHER
    }

    private final CapturedEnd sender;
    private final IwarpConnection connection;
    private final ReorderBuffer<Packet> segments = new ReorderBuffer<>(Integer.SIZE, this);
    private State state = State.BEGINNING;
    private ByteBuffer unread = NONE;
    private int flags;
    private int flagsOfOther;
    /** The position in the stream from the first FPDU on, for markers; negative after a gap, because it is unknown then. */
    private long position;

    MpaStream(CapturedEnd sender, IwarpConnection connection) {
        this.sender = sender;
        this.connection = connection;
    }

    /** Processes a segment that this side sends. The other side's MPA flags determine what it must send. */
    void take(Packet packet, Packet.Tcp tcp, MpaStream other) {
        flagsOfOther = other.flags;
        if (tcp.has(Packet.Tcp.SYN)) {
            segments.begin(tcp.sequence() + 1);
        } else if (packet.payload().hasRemaining() || packet.missing() > 0) {
            if (!segments.hasBegun()) {
                state = State.LOST;
            }
            segments.take(tcp.sequence(), packet);
        }
    }

    void acknowledged(int sequence) {
        segments.acknowledged(sequence);
    }

    void end() {
        segments.end();
    }

    @Override
    public long take(Packet packet, long known) {
        ByteBuffer bytes = packet.payload();
        long length = (long) bytes.remaining() + packet.missing();
        sender.at(packet.nanoseconds());
        if (known < bytes.remaining()) {
            read(bytes.slice((int) known, bytes.remaining() - (int) known));
        }
        long lost = length - Math.max(known, bytes.remaining());
        if (lost > 0) {
            lost(lost, packet);
        }
        return length;
    }

    @Override
    public void lost(long count, Packet next) {
        sender.at(next.nanoseconds());
        if (state == State.OPEN) {
            sender.gap(count, "byte");
        }
        if (state != State.OTHER) {
            lose();
        }
    }

    @Override
    public Packet fuller(Packet one, Packet other) {
        return one.payload().remaining() < other.payload().remaining() ? other : one;
    }

    @Override
    public void notSeen() {
        sender.lose();
    }

    private void lose() {
        state = State.LOST;
        position = -1;
        unread = NONE;
    }

    private void read(ByteBuffer bytes) {
        if (state == State.LOST) {
            findBeginning(bytes);
        }
        if (state == State.BEGINNING || state == State.OPEN) {
            append(bytes);
        }
        if (state == State.BEGINNING) {
            readMpaFrame();
        }
        while (state == State.OPEN && readFpdu()) {
            // Each iteration reads one.
        }
    }

    private boolean isMarked() {
        return (flagsOfOther & MARKERS) != 0 && position >= 0;
    }

    private void append(ByteBuffer bytes) {
        ByteBuffer all =
                ByteBuffer.allocate(unread.remaining() + bytes.remaining()).put(unread);
        if (state == State.OPEN && isMarked()) {
            while (bytes.hasRemaining()) {
                byte next = bytes.get();
                if (position++ % MARKER_SPACING >= MARKER) {
                    all.put(next);
                }
            }
        } else {
            all.put(bytes);
        }
        unread = all.flip();
    }

    /** Resumes at a segment that begins with an MPA frame, or certainly with an untagged message. */
    private void findBeginning(ByteBuffer bytes) {
        boolean isFrame = startsWith(bytes, REQUEST_KEY) || startsWith(bytes, REPLY_KEY);
        if (isFrame && bytes.remaining() >= HEADER) {
            state = State.BEGINNING;
        } else if (bytes.remaining() > 2
                && IwarpConnection.beginsMessage(
                        Short.toUnsignedInt(bytes.getShort(0)), bytes.slice(2, bytes.remaining() - 2))) {
            state = State.OPEN;
            position = -1;
        }
    }

    /** Whether bytes begin with a key, or with a part of it if there are fewer bytes. */
    private static boolean startsWith(ByteBuffer bytes, ByteBuffer key) {
        int known = Math.min(bytes.remaining(), key.remaining());
        return bytes.slice(0, known).equals(key.slice(0, known));
    }

    private void readMpaFrame() {
        boolean isRequest = startsWith(unread, REQUEST_KEY);
        if (!isRequest && !startsWith(unread, REPLY_KEY)) {
            state = State.OTHER;
            unread = NONE;
            return;
        }
        int length = unread.remaining() < HEADER ? HEADER : HEADER + Short.toUnsignedInt(unread.getShort(18));
        if (unread.remaining() < length) {
            return;
        }
        flags = unread.get(16);
        if ((flags & REJECTED) != 0) {
            sender.remark("refuses the connection");
        }
        sender.setUp(isRequest, unread.slice(HEADER, length - HEADER));
        ByteBuffer rest = unread.slice(length, unread.remaining() - length);
        unread = NONE;
        state = State.OPEN;
        position = 0;
        append(rest);
    }

    private boolean readFpdu() {
        int length = unread.remaining() < 2 ? 0 : Short.toUnsignedInt(unread.getShort(0));
        int covered = (2 + length + 3) & ~3;
        if (unread.remaining() < covered + 4) {
            return false;
        }
        ByteBuffer ulpdu = unread.slice(2, length);
        if (!IwarpConnection.isSegment(ulpdu)) {
            lose();
            sender.loseMessage();
            sender.loss("an FPDU is malformed");
            return false;
        }
        checkCrc(covered);
        connection.take(sender, ulpdu);
        unread = unread.slice(covered + 4, unread.remaining() - covered - 4);
        return true;
    }

    /** A CRC is not checked if there are markers: it covers them too, and they have been removed. */
    private void checkCrc(int covered) {
        int sent = unread.slice(covered, 4).order(ByteOrder.LITTLE_ENDIAN).getInt();
        if (((flags | flagsOfOther) & CRC) == 0 || isMarked()) {
            return;
        }
        CRC32C crc = new CRC32C();
        crc.update(unread.slice(0, covered));
        if ((int) crc.getValue() != sent) {
            sender.remark("sends an FPDU whose CRC is wrong");
        }
    }
}
