// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.emplace.rpc.limits.MemoryShares;
import org.emplace.rpc.message.MessageHeader;
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

    /**
     * How much is kept of a record that is too long, in bytes: the header of any message, which has at most 840 bytes. Not a multiple of four, so that
     * nothing can be decoded from it to the end.
     */
    private static final int BEGINNING = 1023;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final int maximumRecord;
    private final IntPredicate memory;
    private final ByteBuffer header = ByteBuffer.allocate(Integer.BYTES);
    private ByteBuffer record = NOTHING;
    private int fragmentLeft;
    private boolean lastFragment;
    private boolean inFragment;
    /** Whether the record is too long, so that only its beginning is kept. */
    private boolean cut;

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
     * Consumes bytes of the stream, up to the end of the next record. If that is longer than allowed, only its beginning is returned: a call is then
     * answered GARBAGE_ARGS, instead of being sent again over another connection, and a reply fails its call.
     *
     * @return the record, which the caller owns; null if the record is not yet complete, and all bytes have been
     *     consumed or the record must wait for memory
     * @throws Violation if a record is longer than allowed and does not begin as an RPC message does
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
                complete.limit(cut ? Math.min(complete.limit(), BEGINNING) : complete.limit());
                record = NOTHING;
                cut = false;
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
            cut = true;
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

    private boolean readFragment(ByteBuffer in) throws Violation {
        int length = Math.min(fragmentLeft, in.remaining());
        int kept = cut ? Math.min(length, Math.max(0, BEGINNING - record.position())) : length;
        if (record.remaining() < kept && !makeRoom(kept)) {
            return false;
        }
        record.put(in.slice(in.position(), kept));
        in.position(in.position() + length);
        fragmentLeft -= length;
        if (cut && record.position() >= MessageHeader.MINIMUM_LENGTH) {
            requireMessage();
        }
        return true;
    }

    private void requireMessage() throws Violation {
        int type = MessageHeader.of(record.duplicate().flip());
        if (type != MessageHeader.CALL && type != MessageHeader.REPLY) {
            throw new Violation("a record of more than the " + maximumRecord
                    + " bytes that ConnectionOptions.maxMessage accepts, which is no RPC message");
        }
    }

    private boolean makeRoom(int length) {
        long grown = Math.max(Math.max(2L * record.capacity(), SMALLEST_BUFFER), (long) record.position() + length);
        // The length of the record is known only from its last fragment. The buffer is doubled, because growing it by
        // each fragment would copy the record for each of them.
        long enough = lastFragment ? (long) record.position() + fragmentLeft : maximumRecord;
        int capacity = (int) Math.max(Math.min(grown, enough), (long) record.position() + length);
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

    /**
     * Counts the memory of the records that a connection receives. A record uses memory from the arrival of its bytes until
     * it is no longer used. What the records of a connection use together counts toward its share, except the first {@value
     * #UNCOUNTED} bytes, so few or short calls take no lock. If the share is used up, the record that arrives waits, and the
     * stream is not read meanwhile. A short record does not wait while this end waits for replies, because it may be one on
     * which calls in progress depend: it stops waiting when this end begins to.
     *
     * <p>Used on the event loop's thread, except {@link #uncharge(ByteBuffer)}.
     */
    static final class RecordMemory {
        /** The bytes of a connection's records that do not count: more than 64 calls without data need. */
        static final int UNCOUNTED = 32 * 1024;
        /** The memory that a record uses in addition to its buffer, in bytes: about that of the objects of its call. */
        private static final long OVERHEAD = 256;
        /** The longest buffer of a short record, in bytes. */
        private static final int SHORT = 16 * 1024;

        private final MemoryShares.@Nullable Share share;
        private final int largest;
        private final Consumer<Runnable> resume;
        private final BooleanSupplier awaitsReplies;
        /** The bytes that all records use. The share holds those beyond {@link #UNCOUNTED}. Other threads only reduce it. */
        private final AtomicLong used = new AtomicLong();
        /** The bytes that the record that is being assembled uses. */
        private long assembled;

        private boolean waiting;
        private boolean ended;

        /**
         * Starts without records.
         *
         * @param share null for no limit: a client must always read replies, which its calls in flight bound
         * @param largest the length of the longest buffer, in bytes
         * @param resume runs a task on the event loop's thread, then continues to read the stream
         * @param awaitsReplies tells whether this end waits for replies
         */
        RecordMemory(
                MemoryShares.@Nullable Share share,
                int largest,
                Consumer<Runnable> resume,
                BooleanSupplier awaitsReplies) {
            this.share = share;
            this.largest = largest;
            this.resume = resume;
            this.awaitsReplies = awaitsReplies;
        }

        /**
         * Charges the memory that the record being assembled needs for a buffer of this capacity.
         *
         * @return false if the record must wait; reading resumes when the memory has been charged
         */
        boolean grow(int capacity) {
            long more = capacity + OVERHEAD - assembled;
            if (share == null || more <= 0) {
                return true;
            }
            boolean mayBeReply = capacity <= SHORT && awaitsReplies.getAsBoolean();
            if (waiting && mayBeReply && share.stopWaiting()) {
                waiting = false;
            }
            if (!waiting) {
                long before = used.get();
                long counted = counted(before + more) - counted(before);
                if (counted > 0 && mayBeReply) {
                    share.chargeBeyond(counted);
                } else if (counted > 0) {
                    waiting = !share.chargeOrWait(
                            counted, largest + OVERHEAD, () -> resume.accept(() -> charged(share, more, counted)));
                }
                if (!waiting) {
                    use(share, more, counted);
                }
            }
            return !waiting;
        }

        private static long counted(long bytes) {
            return Math.max(0, bytes - UNCOUNTED);
        }

        /** Uses bytes, for which enough has been charged. Releases in the meantime may have reduced what counts. */
        private void use(MemoryShares.Share from, long more, long charged) {
            long before = used.getAndAdd(more);
            uncharge(from, charged - (counted(before + more) - counted(before)));
            assembled += more;
        }

        private static void uncharge(MemoryShares.Share to, long bytes) {
            if (bytes > 0) {
                to.uncharge(bytes);
            }
        }

        private void charged(MemoryShares.Share from, long more, long charged) {
            waiting = false;
            use(from, more, charged);
            if (ended) {
                discard();
            }
        }

        /** Whether connections wait for memory, so that each should read little at a time. */
        boolean isShort() {
            return share != null && share.isShort();
        }

        /** Called when the record is complete. It uses its memory until {@link #uncharge(ByteBuffer)}. */
        void complete() {
            assembled = 0;
        }

        /** Called when a complete record is no longer used. */
        void uncharge(ByteBuffer record) {
            if (record.capacity() > 0) {
                uncharge(record.capacity() + OVERHEAD);
            }
        }

        private void uncharge(long bytes) {
            if (share != null) {
                long before = used.getAndAdd(-bytes);
                uncharge(share, counted(before) - counted(before - bytes));
            }
        }

        /** Called when no more bytes are received. */
        void discard() {
            ended = true;
            if (share != null) {
                share.stopWaiting();
                uncharge(assembled);
            }
            assembled = 0;
        }
    }
}
