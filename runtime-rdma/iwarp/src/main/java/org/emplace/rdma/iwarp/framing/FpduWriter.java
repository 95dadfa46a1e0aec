// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.zip.CRC32C;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.iwarp.framing.Segment.Opcode;
import org.emplace.rdma.iwarp.framing.Segment.ReadRequest;
import org.jspecify.annotations.Nullable;

/** Writes messages to the socket as FPDUs (RFC 5044 section 4), several at a time in one {@link FpduBatch}. */
public final class FpduWriter {
    /** The largest payload of an FPDU in bytes: whole pages, below the limit of 64 KiB that the length field sets. */
    public static final int PAYLOAD_LIMIT = 15 * 4096;

    /** The most batches written by one call, so that other connections are served. */
    private static final int TURNS = 4;

    /** Supplies the messages. */
    public interface Source {
        /** Whether there is a message to send now. */
        boolean hasNext();

        /** Sets up {@code message} as the next message to send. @return false if there is none now */
        boolean next(Message message);

        /** TCP has taken the last byte of the oldest message of this type. */
        void written(Opcode opcode);
    }

    private final Wire wire;
    private final @Nullable CRC32C crc;
    private final Batches batches;
    private final Source source;
    private final Message message = new Message();
    /** Whether {@link #message} has bytes that are not in an FPDU yet. */
    private boolean underWay;
    /** The batch that the socket has not taken completely. */
    private @Nullable FpduBatch batch;

    private @Nullable ByteBuffer terminate;
    private boolean ending;
    private int bytesWritten;
    private int segmentsBuilt;

    /**
     * Creates a writer for the start of a stream of FPDUs.
     *
     * @param withCrc whether CRCs are computed; else they are 0
     * @param batches the batches of the connection's loop
     */
    public FpduWriter(Wire wire, boolean withCrc, Batches batches, Source source) {
        this.wire = wire;
        this.crc = withCrc ? new CRC32C() : null;
        this.batches = batches;
        this.source = source;
    }

    /**
     * Ends the stream: takes no more messages from the source and abandons the current one after the FPDUs already begun. Then sends a Terminate
     * message with this payload, if it is not null.
     */
    public void endWith(@Nullable ByteBuffer terminate) {
        ending = true;
        underWay = false;
        this.terminate = terminate;
    }

    /**
     * Writes as much as the socket takes, up to a limit.
     *
     * @param most begins no further batch after so many bytes
     * @return whether nothing is left to write
     */
    public boolean write(int most) throws IOException {
        bytesWritten = 0;
        segmentsBuilt = 0;
        for (int turn = 0; turn < TURNS && bytesWritten < most; turn++) {
            FpduBatch next = batch != null ? batch : fill();
            if (next == null) {
                return true;
            }
            batch = next;
            boolean taken = next.write(wire, source);
            bytesWritten += (int) next.taken();
            if (!taken) {
                return false;
            }
            batch = null;
            batches.release(next);
        }
        batch = fill();
        return batch == null;
    }

    /** The number of bytes that the last {@link #write} has written, unless it threw an exception. */
    public int bytesWritten() {
        return bytesWritten;
    }

    /** Builds the next batch; null if there is nothing to write. */
    private @Nullable FpduBatch fill() {
        if (!prepare()) {
            return null;
        }
        FpduBatch next = batches.acquire();
        do {
            next.add(message, crc);
            segmentsBuilt++;
            underWay = message.left() > 0;
        } while (next.hasRoom() && prepare());
        return next;
    }

    /** The number of segments that the last {@link #write} has built, to be written by it or later. */
    public int segmentsBuilt() {
        return segmentsBuilt;
    }

    /** Whether there is something to write now. */
    public boolean hasMore() {
        return batch != null || underWay || (ending ? terminate != null : source.hasNext());
    }

    private boolean prepare() {
        if (!underWay) {
            underWay = ending ? nextIsTerminate() : source.next(message);
        }
        return underWay;
    }

    private boolean nextIsTerminate() {
        ByteBuffer payload = terminate;
        terminate = null;
        if (payload != null) {
            message.control(Opcode.TERMINATE, 1, payload);
        }
        return payload != null;
    }

    /** The batches of one event loop's connections, for reuse. A connection with nothing to write holds none. Used on the loop. */
    public static final class Batches {
        /** More batches are in use only while more connections wait for their sockets. */
        private static final int SPARE_LIMIT = 4;

        private final Deque<FpduBatch> spare = new ArrayDeque<>(SPARE_LIMIT);

        /** Starts without batches. */
        public Batches() {}

        /** An empty batch. */
        FpduBatch acquire() {
            FpduBatch batch = spare.poll();
            return batch == null ? new FpduBatch() : batch;
        }

        /** Keeps an empty batch for the next connection, unless there are enough. */
        void release(FpduBatch batch) {
            if (spare.size() < SPARE_LIMIT) {
                spare.push(batch);
            }
        }
    }

    /**
     * The message that is being sent: its header and the rest of its payload. A connection has one object, which the source sets up for each message, so
     * that messages create no garbage.
     */
    public static final class Message {
        private Opcode opcode = Opcode.SEND;
        private int stag;
        private int sequence;
        private long offset;
        /** The payload, in registered memory or on the heap. */
        private List<MemorySegment> pieces = List.of();

        private @Nullable ByteBuffer control;
        /** The payload of Read Requests; null before the first one. */
        private @Nullable ByteBuffer readRequest;

        private long left;
        /** The index of the current piece, and how many bytes of that piece have been sent. */
        private int piece;

        private int taken;

        Message() {}

        /** Sets up a tagged message, to memory of the peer, with the {@code pieces} as payload in order. */
        public void tagged(Opcode opcode, int stag, long offset, List<MemorySegment> pieces) {
            set(opcode, stag, 0, offset, pieces, null, MemorySegment.total(pieces));
        }

        /** Sets up an untagged message, to a queue of the peer, with the {@code pieces} as payload in order. */
        public void untagged(Opcode opcode, int invalidate, int sequence, List<MemorySegment> pieces) {
            set(opcode, invalidate, sequence, 0, pieces, null, MemorySegment.total(pieces));
        }

        /** Sets up an untagged message whose payload is on the heap and fits in one FPDU. */
        void control(Opcode opcode, int sequence, ByteBuffer payload) {
            set(opcode, 0, sequence, 0, List.of(), payload, payload.remaining());
        }

        /** Sets up an RDMA Read Request. */
        public void readRequest(int sequence, ReadRequest request) {
            if (readRequest == null) {
                readRequest = ByteBuffer.allocate(ReadRequest.LENGTH);
            }
            request.putInto(readRequest.clear());
            control(Opcode.READ_REQUEST, sequence, readRequest.flip());
        }

        private void set(
                Opcode opcode,
                int stag,
                int sequence,
                long offset,
                List<MemorySegment> pieces,
                @Nullable ByteBuffer control,
                long length) {
            this.opcode = opcode;
            this.stag = stag;
            this.sequence = sequence;
            this.offset = offset;
            this.pieces = pieces;
            this.control = control;
            left = length;
            piece = 0;
            taken = 0;
        }

        Opcode opcode() {
            return opcode;
        }

        /** The number of payload bytes that have not been sent. */
        long left() {
            return left;
        }

        /** The payload if it is on the heap; null if it is in registered memory. */
        @Nullable
        ByteBuffer control() {
            return control;
        }

        /** Writes the header of a segment with the next {@code length} bytes of payload. */
        void putHead(ByteBuffer head, int length) {
            if (opcode.isTagged()) {
                Segment.putTagged(head, opcode, length == left, length, stag, offset);
            } else {
                Segment.putUntagged(head, opcode, length == left, length, stag, sequence, (int) offset);
            }
        }

        /** The current piece of the payload, never empty. Requires that {@link #left} is positive. */
        MemorySegment piece() {
            while (taken == pieces.get(piece).length()) {
                piece++;
                taken = 0;
            }
            return pieces.get(piece);
        }

        /** How many bytes of {@link #piece} have been sent. */
        int taken() {
            return taken;
        }

        /** Marks bytes of {@link #piece} as sent. */
        void advance(int length) {
            taken += length;
            offset += length;
            left -= length;
        }

        /** Drops the payload of a message that has been sent. */
        void clear() {
            pieces = List.of();
            control = null;
            left = 0;
        }
    }
}
