// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.zip.CRC32C;
import org.emplace.rdma.iwarp.tcp.Wire;
import org.jspecify.annotations.Nullable;

/** Writes messages to the socket as FPDUs (RFC 5044 section 4), several at a time in one {@link FpduBatch}. */
public final class FpduWriter {
    /** Largest payload of an FPDU: whole pages, below the 64 KiB that the length field can say. */
    public static final int PAYLOAD_LIMIT = 15 * 4096;

    /** The most batches written in one turn, so that other connections get theirs. */
    private static final int TURNS = 4;

    /** Where messages come from. */
    public interface Source {
        /** Makes {@code message} the next message to send. @return false if there is none now */
        boolean next(OutboundMessage message);

        /** The oldest message of this type has been written: TCP has taken its last byte. */
        void written(Opcode opcode);
    }

    private final Wire wire;
    private final @Nullable CRC32C crc;
    private final Batches batches;
    private final Source source;
    private final OutboundMessage message = new OutboundMessage();
    /** Whether FPDUs of {@link #message} are left. */
    private boolean underWay;
    /** What the socket has not taken yet. */
    private @Nullable FpduBatch batch;

    private @Nullable ByteBuffer terminate;
    private boolean cut;

    /**
     * A writer at the start of a stream of FPDUs.
     *
     * @param withCrc whether CRCs are computed; else they are 0
     * @param batches of the connection's loop
     */
    public FpduWriter(Wire wire, boolean withCrc, Batches batches, Source source) {
        this.wire = wire;
        this.crc = withCrc ? new CRC32C() : null;
        this.batches = batches;
        this.source = source;
    }

    /**
     * Takes no more from the source, abandons the current message after the FPDUs already begun, and ends with a Terminate message of this payload,
     * if there is one.
     */
    public void endWith(@Nullable ByteBuffer terminate) {
        cut = true;
        underWay = false;
        this.terminate = terminate;
    }

    /** Writes what the socket takes, in bounds. @return whether nothing is left to write */
    public boolean write() throws IOException {
        for (int turn = 0; turn < TURNS; turn++) {
            FpduBatch next = batch != null ? batch : fill();
            if (next == null) {
                return true;
            }
            batch = next;
            if (!next.write(wire, source)) {
                return false;
            }
            batch = null;
            batches.giveBack(next);
        }
        batch = fill();
        return batch == null;
    }

    /** Builds a batch of what there is to write; null if there is nothing. */
    private @Nullable FpduBatch fill() {
        if (!hasMore()) {
            return null;
        }
        FpduBatch next = batches.take();
        do {
            next.add(message, crc);
            underWay = message.left() > 0;
        } while (next.hasRoom() && hasMore());
        return next;
    }

    private boolean hasMore() {
        if (!underWay) {
            underWay = cut ? nextIsTerminate() : source.next(message);
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

    /** Batches that the connections of one event loop borrow: a connection with nothing to write needs none. Used on the loop. */
    public static final class Batches {
        /** More are in use only while more connections wait for their sockets. */
        private static final int SPARE_LIMIT = 4;

        private final Deque<FpduBatch> spare = new ArrayDeque<>(SPARE_LIMIT);

        /** None yet. */
        public Batches() {}

        /** An empty batch. */
        FpduBatch take() {
            FpduBatch batch = spare.poll();
            return batch == null ? new FpduBatch() : batch;
        }

        /** Takes back an empty batch. */
        void giveBack(FpduBatch batch) {
            if (spare.size() < SPARE_LIMIT) {
                spare.push(batch);
            }
        }
    }
}
