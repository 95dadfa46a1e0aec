// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Assembles records from the fragments of a TCP stream (RFC 5531 section 11). Its memory grows with the bytes that have
 * arrived, not with the length in a fragment's header. Used by one thread.
 */
final class RecordReader {
    private static final int LAST_FRAGMENT = 0x8000_0000;
    /** How an MPA Request Frame begins: "MPA " (RFC 5044 section 7.1). As a record mark, it announces a fragment of 1.2 GiB that is not the last. */
    private static final int MPA = 0x4d504120;

    /** The buffer of a record whose first bytes have arrived, in bytes, unless the record is known to be shorter. */
    private static final int SMALLEST_BUFFER = 16 * 1024;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final int maximumRecord;
    private final IntPredicate memory;
    private final ByteBuffer header = ByteBuffer.allocate(Integer.BYTES);
    private ByteBuffer record = NOTHING;
    private int fragmentLeft;
    private boolean lastFragment;
    private boolean inFragment;

    /**
     * Creates a reader at the start of a stream.
     *
     * @param maximumRecord the longest record to accept, in bytes
     * @param memory tells whether the record may have a buffer of a number of bytes now
     */
    RecordReader(int maximumRecord, IntPredicate memory) {
        this.maximumRecord = maximumRecord;
        this.memory = memory;
    }

    /**
     * Consumes bytes of the stream, up to the end of the next record.
     *
     * @return the record, which the caller owns; null if the record is not yet complete, and all bytes have been
     *     consumed or the record must wait for memory
     * @throws Violation if a record is longer than allowed
     */
    @Nullable
    ByteBuffer next(ByteBuffer in) throws Violation {
        while (inFragment || readHeader(in)) {
            if (!readFragment(in) || fragmentLeft > 0) {
                return null;
            }
            inFragment = false;
            if (lastFragment) {
                ByteBuffer complete = record.flip();
                record = NOTHING;
                return complete;
            }
        }
        return null;
    }

    private boolean readHeader(ByteBuffer in) throws Violation {
        while (header.hasRemaining()) {
            if (!in.hasRemaining()) {
                return false;
            }
            header.put(in.get());
        }
        int mark = header.flip().getInt();
        header.clear();
        lastFragment = (mark & LAST_FRAGMENT) != 0;
        fragmentLeft = mark & ~LAST_FRAGMENT;
        if (mark == MPA && maximumRecord < MPA) {
            throw new Violation("\"MPA \", with which RDMA over TCP begins (iWARP), but this port takes RPC over TCP");
        }
        if (fragmentLeft > maximumRecord - record.position()) {
            throw new Violation(
                    "a record of at least " + (0L + record.position() + fragmentLeft) + " bytes, but at most "
                            + maximumRecord + " are accepted; ConnectionOptions.maximumMessage sets this");
        }
        inFragment = true;
        return true;
    }

    /** How many bytes of the current fragment have not arrived; 0 between fragments. */
    int missing() {
        return inFragment ? fragmentLeft : 0;
    }

    /** Whether the stream is within a record. */
    boolean isInside() {
        return inFragment || record.position() > 0 || header.position() > 0;
    }

    private boolean readFragment(ByteBuffer in) {
        int length = Math.min(fragmentLeft, in.remaining());
        if (record.remaining() < length && !makeRoom(length)) {
            return false;
        }
        record.put(in.slice(in.position(), length));
        in.position(in.position() + length);
        fragmentLeft -= length;
        return true;
    }

    private boolean makeRoom(int length) {
        long grown = Math.max(Math.max(2L * record.capacity(), SMALLEST_BUFFER), (long) record.position() + length);
        // The length of the record is known only from its last fragment. The buffer is doubled, because growing it by
        // each fragment would copy the record for each of them.
        long enough = lastFragment ? (long) record.position() + fragmentLeft : maximumRecord;
        int capacity = (int) Math.min(grown, enough);
        if (!memory.test(capacity)) {
            return false;
        }
        record = ByteBuffer.allocate(capacity).put(record.flip());
        return true;
    }

    /**
     * The peer's record marking is not acceptable. The position of the next record is unknown, so the connection must
     * end.
     */
    static final class Violation extends IOException {
        private static final long serialVersionUID = 1L;

        Violation(String what) {
            super(what);
        }
    }
}
