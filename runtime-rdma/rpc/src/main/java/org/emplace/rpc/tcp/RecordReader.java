// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Assembles records from the fragments of a TCP stream (RFC 5531 section 11). Its memory grows with the bytes that have
 * arrived, not with the length in a fragment's header. Used by one thread.
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

    /**
     * Creates a reader at the start of a stream.
     *
     * @param maximumRecord the longest record to accept, in bytes
     */
    RecordReader(int maximumRecord) {
        this.maximumRecord = maximumRecord;
    }

    /**
     * Consumes bytes of the stream, up to the end of the next record.
     *
     * @return the record, which the caller owns; null if all bytes have been consumed and the record is not yet
     *     complete
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
            throw new Violation("a record of at least " + (0L + record.position() + fragmentLeft)
                    + " bytes, but at most " + maximumRecord + " are accepted");
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
        // The length of the record is known only from its last fragment. The buffer is doubled, because growing it by
        // each fragment would copy the record for each of them.
        long enough = lastFragment ? (long) record.position() + fragmentLeft : maximumRecord;
        record = ByteBuffer.allocate((int) Math.min(grown, enough)).put(record.flip());
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
