// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.util.Optional;

/**
 * The operations of byte-range locks (RFC 8881 sections 18.10 to 18.12). Locks are advisory: they do not affect I/O.
 *
 * <p>{@code clientId} is that of the session by which the call came. If the client has been removed since, the operations throw EXPIRED.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class Locks {
    Locks() {}

    /**
     * A lock to acquire.
     *
     * @param isWrite whether it excludes all others; if not, only those that do
     */
    public record Wanted(FileKey file, ByteRange range, boolean isWrite) {}

    /** What LOCK decides: {@link Granted} or {@link Denied}. */
    public sealed interface LockResult permits Granted, Denied {}

    /** The lock was acquired. */
    public record Granted(StateId stateId) implements LockResult {}

    /** Another owner holds a lock that excludes it. NFS4ERR_DENIED returns it. */
    public record Denied(ByteRange range, boolean isWrite, long clientId, Opaque owner) implements LockResult {}

    /**
     * LOCK by a new lock owner. An owner that has locks under this open already adds to them.
     *
     * @param openStateId the open under which the lock is acquired
     * @throws StateException OPENMODE if the open does not permit such a lock; SERVERFAULT if the client has too many locks; DELAY if all clients
     *     together have; BAD_STATEID, OLD_STATEID, EXPIRED
     */
    public LockResult lock(long clientId, StateId openStateId, Opaque owner, Wanted wanted) throws StateException {
        throw new UnsupportedOperationException();
    }

    /**
     * LOCK by a lock owner with a stateid.
     *
     * @param lockStateId the stateid of earlier locks
     * @throws StateException as for a new owner
     */
    public LockResult lock(long clientId, StateId lockStateId, Wanted wanted) throws StateException {
        throw new UnsupportedOperationException();
    }

    /** LOCKT: what would deny a lock. */
    public Optional<Denied> test(long clientId, Opaque owner, Wanted wanted) {
        throw new UnsupportedOperationException();
    }

    /**
     * LOCKU. Bytes that are not locked stay so.
     *
     * @throws StateException BAD_STATEID, OLD_STATEID, EXPIRED
     */
    public StateId unlock(long clientId, StateId lockStateId, FileKey file, ByteRange range) throws StateException {
        throw new UnsupportedOperationException();
    }
}
