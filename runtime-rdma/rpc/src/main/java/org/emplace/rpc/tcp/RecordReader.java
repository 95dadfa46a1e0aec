// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Puts records together from the fragments of a TCP stream (RFC 5531 section 11). Memory grows with the bytes that have arrived, not with
 * what a fragment's header announces. Used by one thread.
 */
final class RecordReader {
    private static final int LAST_FRAGMENT = 0x8000_0000;
    private static final int FIRST_CAPACITY = 16 * 1024;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final int maximumRecord;
    private final ByteBuffer header = ByteBuffer.allocate(Integer.BYTES);
    private ByteBuffer record = NOTHING;
    private int fragmentLeft;
    private boolean lastFragment;
    private boolean inFragment;

    /** A reader at the start of a stream, of records up to a length. */
    RecordReader(int maximumRecord) {
        this.maximumRecord = maximumRecord;
    }

    /**
     * Takes bytes off the stream up to the end of the next record.
     *
     * @return the record, for the caller to keep; null if all of {@code in} was taken and the record is not complete yet
     * @throws Violation if a record is longer than allowed
     */
    @Nullable
    ByteBuffer next(ByteBuffer in) throws Violation {
        while (inFragment || readHeader(in)) {
            readFragment(in);
            if (fragmentLeft > 0) {
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
        if (fragmentLeft > maximumRecord - record.position()) {
            throw new Violation("a record of at least " + (0L + record.position() + fragmentLeft) + " bytes, at most "
                    + maximumRecord + " are accepted");
        }
        inFragment = true;
        return true;
    }

    private void readFragment(ByteBuffer in) {
        int length = Math.min(fragmentLeft, in.remaining());
        makeRoom(length);
        record.put(in.slice(in.position(), length));
        in.position(in.position() + length);
        fragmentLeft -= length;
    }

    private void makeRoom(int length) {
        if (record.remaining() >= length) {
            return;
        }
        long grown = Math.max(Math.max(2L * record.capacity(), FIRST_CAPACITY), (long) record.position() + length);
        // Only the last fragment tells the length of the record. Growing the buffer by each fragment would copy the
        // record
        // one of them.
        long enough = lastFragment ? (long) record.position() + fragmentLeft : maximumRecord;
        record = ByteBuffer.allocate((int) Math.min(grown, enough)).put(record.flip());
    }

    /** The peer's record marking cannot be accepted. The position in the stream is lost, so the connection must end. */
    static final class Violation extends IOException {
        private static final long serialVersionUID = 1L;

        Violation(String what) {
            super(what);
        }
    }
}
