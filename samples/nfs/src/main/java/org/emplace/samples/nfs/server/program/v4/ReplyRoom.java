// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v4;

import java.util.Set;
import org.emplace.samples.nfs.protocol.v4.Compound4Args;
import org.emplace.samples.nfs.protocol.v4.NfsOpnum4;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrValue;

/**
 * The room in the reply of a COMPOUND (RFC 8881 section 2.10.6.4). An operation that changes something is not run unless its result fits. What others return is
 * dropped if it does not fit.
 */
final class ReplyRoom {
    /** The header of an RPC call with the shortest credential of AUTH_SYS. */
    private static final int CALL_HEADER = 60;

    private static final int REPLY_HEADER = 24;
    /** The status, the length of the tag, the number of results. */
    private static final int STATUS_AND_COUNTS = 12;

    private static final int OPERATION = 4;

    /** More than the longest result of a change that has succeeded: OPEN's. */
    private static final int LONGEST_OF_A_CHANGE = 128;

    private static final Set<NfsOpnum4> CHANGES = Set.of(
            NfsOpnum4.ALLOCATE,
            NfsOpnum4.CLOSE,
            NfsOpnum4.COPY,
            NfsOpnum4.CREATE,
            NfsOpnum4.DEALLOCATE,
            NfsOpnum4.LINK,
            NfsOpnum4.LOCK,
            NfsOpnum4.LOCKU,
            NfsOpnum4.OPEN,
            NfsOpnum4.OPEN_DOWNGRADE,
            NfsOpnum4.REMOVE,
            NfsOpnum4.RENAME,
            NfsOpnum4.SETATTR,
            NfsOpnum4.WRITE);

    private final long room;
    private final Nfsstat4 whenFull;
    private final XdrEncoder measure = XdrEncoder.onHeap();
    private long used;

    private ReplyRoom(long room, Nfsstat4 whenFull, int tag) {
        this.room = room;
        this.whenFull = whenFull;
        this.used = REPLY_HEADER + STATUS_AND_COUNTS + ((tag + 3L) & ~3);
    }

    /** The room in a reply of at most so many bytes, with a tag of this length. */
    static ReplyRoom of(long mostBytes, int tag) {
        return new ReplyRoom(mostBytes, Nfsstat4.NFS4ERR_REP_TOO_BIG, tag);
    }

    /** The room in a reply that must also fit into the cache. */
    static ReplyRoom ofCached(long mostBytes, int tag) {
        return new ReplyRoom(mostBytes, Nfsstat4.NFS4ERR_REP_TOO_BIG_TO_CACHE, tag);
    }

    /** About the size of a request as RPC message. Payloads are counted, not fetched. */
    static long sizeOf(Compound4Args args) {
        XdrEncoder measure = XdrEncoder.onHeap();
        args.encode(measure);
        return CALL_HEADER + measure.unreducedLength(0);
    }

    /** Checks the room before an operation. */
    void requireRoom(NfsOpnum4 operation) throws StatusException {
        if (CHANGES.contains(operation) && used + OPERATION + LONGEST_OF_A_CHANGE > room) {
            throw full();
        }
    }

    /** How many bytes a result may have. */
    long left() {
        return room - used - OPERATION;
    }

    /** Takes the room for the result of an operation. */
    void take(XdrValue result) throws StatusException {
        int start = measure.streamLength();
        result.encode(measure);
        long length = measure.unreducedLength(start);
        if (length > left()) {
            throw full();
        }
        used += OPERATION + length;
    }

    private StatusException full() {
        return new StatusException(whenFull, "a reply of more than " + room + " bytes");
    }
}
