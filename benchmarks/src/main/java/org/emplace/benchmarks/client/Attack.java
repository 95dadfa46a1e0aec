// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.client;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

/** What hostile clients do to a server of NFS version 3. */
public enum Attack {
    /** Read calls without data. Each takes a thread for handlers. */
    SMALL_CALLS("READ of 0 bytes over 100 connections", 100),
    /** Calls that the server answers without a handler. */
    NULL_CALLS("NULL over 100 connections", 100),
    /** Calls of a program that the server does not have. */
    REFUSED_CALLS("calls of a wrong program over 32 connections", 32),
    /** Replies to no call; by RDMA, messages of a kind that nobody sends. */
    NOT_CALLS("messages that are no calls over 32 connections", 32),
    /** Calls with data. */
    LARGE_CALLS("WRITE of 64 KiB (by RDMA 2 KiB, inline) over 16 connections", 16),
    /** Calls whose replies are not read. */
    UNREAD_REPLIES("READ of 64 KiB over 32 connections that read no replies", 32),
    /** Records without their last byte; by RDMA, Long Calls whose RDMA Reads are not answered. */
    UNFINISHED_CALLS("unfinished calls of 1 MiB over 100 connections", 100),
    /** Calls in fragments, or DDP segments, of one byte. */
    PIECES("calls in pieces of one byte over 32 connections", 32),
    /** Connections that are reset as soon as they are set up. */
    CONNECTIONS("connections set up and reset, 64 at a time", 64);

    private static final int PROGRAM = 100_003;
    private static final int ANOTHER_PROGRAM = 100_099;
    private static final int READ = 6;
    private static final int WRITE = 7;
    private static final int LAST = 0x8000_0000;
    private static final int WHOLE = 1 << 15;
    private static final int KIB_64 = 1 << 16;
    private static final int MIB = 1 << 20;
    /** The most messages in a batch, and so the most credits that can be used. */
    private static final int BATCH = 64;
    /** Bytes of an FPDU before its message: length, control, STag, queue, MSN and offset. */
    private static final int FPDU_HEAD = 20;

    private static final int CRC = 4;
    private static final int MSN = 12;

    private final String title;
    private final int connections;

    Attack(String title, int connections) {
        this.title = title;
        this.connections = connections;
    }

    /** The name in tables. */
    public String title() {
        return title;
    }

    int connections() {
        return connections;
    }

    boolean readsReplies() {
        return this != UNREAD_REPLIES;
    }

    /** Whether its clients send no more calls by RDMA than they were granted. */
    boolean keepsToCredits() {
        return this != NOT_CALLS && this != UNREAD_REPLIES && this != UNFINISHED_CALLS;
    }

    /** The number of messages that each connection sends. */
    int messages(boolean rdma) {
        return switch (this) {
            case CONNECTIONS -> 0;
            case UNFINISHED_CALLS -> rdma ? 2 : 1;
            default -> Integer.MAX_VALUE;
        };
    }

    /** Flag S, revision 2, twelve bytes: IRD 8, ORD 8, and the private data of RFC 8797 for inline thresholds of 4 KiB. */
    static ByteBuffer mpaRequest() {
        return ByteBuffer.allocate(32)
                .put("MPA ID Req Frame".getBytes(StandardCharsets.US_ASCII))
                .putInt(0x1002000c)
                .putInt(0x00080008)
                .putInt(0xf6ab0e18)
                .putInt(0x01000303)
                .flip();
    }

    /**
     * Messages of one length in the framing of a transport. A connection sends them again and again.
     *
     * @param number of the messages
     */
    record Batch(ByteBuffer bytes, int number, int piece) {
        int length() {
            return bytes.capacity() / number;
        }

        /** Numbers the messages for software iWARP. The first of them follows as many others. */
        void renumber(int sent) {
            bytes.clear();
            for (int fpdu = 0; fpdu < bytes.capacity(); fpdu += fpduLength(piece)) {
                bytes.putInt(fpdu + MSN, sent + fpdu / length() + 1);
            }
        }
    }

    /** The messages of one connection. */
    Batch batch(boolean rdma) {
        int[] first = message(1, rdma);
        int bytes = Integer.BYTES * first.length;
        int number = messages(rdma) == 1 ? 1 : Math.max(1, Math.min(BATCH, (KIB_64 << 2) / bytes));
        int piece = this == PIECES ? 1 : rdma ? bytes : WHOLE;
        ByteBuffer[] framed = IntStream.rangeClosed(1, number)
                .mapToObj(xid -> rdma ? fpdus(xid, message(xid, true), piece) : record(message(xid, false), piece))
                .toArray(ByteBuffer[]::new);
        ByteBuffer all = ByteBuffer.allocateDirect(number * framed[0].remaining());
        for (ByteBuffer each : framed) {
            all.put(each);
        }
        all.flip();
        return new Batch(
                this == UNFINISHED_CALLS && !rdma ? all.limit(all.limit() - 1).slice() : all, number, piece);
    }

    private int[] message(int xid, boolean rdma) {
        if (rdma) {
            return switch (this) {
                case NOT_CALLS -> new int[] {xid, 1, 1, 3};
                // A Position Zero Read chunk, which is never read.
                case UNFINISHED_CALLS -> new int[] {xid, 1, 1, 1, 1, 0, 0x200, MIB, 0, 0, 0, 0, 0};
                // A Write chunk for the data.
                case UNREAD_REPLIES ->
                    joined(new int[] {xid, 1, BATCH, 0, 0, 1, 1, 0x100, KIB_64, 0, 0, 0, 0}, call(xid, true));
                default -> joined(new int[] {xid, 1, BATCH, 0, 0, 0, 0}, call(xid, true));
            };
        }
        return this == NOT_CALLS ? new int[] {xid, 1, 0, 0, 0, 0} : call(xid, false);
    }

    private int[] call(int xid, boolean rdma) {
        return switch (this) {
            case NULL_CALLS, PIECES -> header(xid, PROGRAM, 0);
            case REFUSED_CALLS -> header(xid, ANOTHER_PROGRAM, 0);
            case UNREAD_REPLIES -> joined(header(xid, PROGRAM, READ), file(KIB_64));
            case LARGE_CALLS -> write(xid, rdma ? 2048 : KIB_64);
            case UNFINISHED_CALLS -> write(xid, MIB);
            default -> joined(header(xid, PROGRAM, READ), file(0));
        };
    }

    private static int[] header(int xid, int program, int procedure) {
        return new int[] {xid, 0, 2, program, 3, procedure, 0, 0, 0, 0};
    }

    /** A file handle of eight bytes, an offset and a number of bytes. */
    private static int[] file(int count) {
        return new int[] {8, 0, 0, 0, 0, count};
    }

    private static int[] write(int xid, int count) {
        int[] data = new int[2 + count / Integer.BYTES];
        data[1] = count;
        return joined(joined(header(xid, PROGRAM, WRITE), file(count)), data);
    }

    private static int[] joined(int[] head, int[] rest) {
        return IntStream.concat(IntStream.of(head), IntStream.of(rest)).toArray();
    }

    private static ByteBuffer bytes(int[] words) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * words.length);
        bytes.asIntBuffer().put(words);
        return bytes;
    }

    /** A record in fragments (RFC 5531 section 11). */
    private static ByteBuffer record(int[] message, int piece) {
        ByteBuffer from = bytes(message);
        int fragments = (from.remaining() + piece - 1) / piece;
        ByteBuffer record = ByteBuffer.allocate(from.remaining() + Integer.BYTES * fragments);
        while (from.hasRemaining()) {
            int length = Math.min(piece, from.remaining());
            record.putInt(length | (length == from.remaining() ? LAST : 0));
            record.put(from.slice(from.position(), length));
            from.position(from.position() + length);
        }
        return record.flip();
    }

    private static int fpduLength(int piece) {
        return (FPDU_HEAD + piece + 3) / 4 * 4 + CRC;
    }

    /** A Send in FPDUs without CRC (RFC 5041 section 4, RFC 5044 section 4). */
    private static ByteBuffer fpdus(int sequence, int[] message, int piece) {
        ByteBuffer from = bytes(message);
        ByteBuffer fpdus = ByteBuffer.allocate(from.remaining() / piece * fpduLength(piece));
        for (int offset = 0; offset < from.limit(); offset += piece) {
            boolean last = offset + piece == from.limit();
            fpdus.putShort((short) (FPDU_HEAD - Short.BYTES + piece)).putShort((short) (last ? 0x4143 : 0x0143));
            fpdus.putInt(0).putInt(0).putInt(sequence).putInt(offset).put(from.slice(offset, piece));
            fpdus.position(fpdus.position() + fpduLength(piece) - FPDU_HEAD - piece);
        }
        return fpdus.flip();
    }
}
