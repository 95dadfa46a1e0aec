// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.util.List;
import java.util.Optional;
import org.emplace.samples.nfs.server.state.ByteRanges.Locked;
import org.emplace.samples.nfs.server.state.Opens.Share;
import org.emplace.samples.nfs.server.state.StateException.Status;
import org.jspecify.annotations.Nullable;

/**
 * The operations of byte-range locks (RFC 8881 sections 18.10 to 18.12). Locks are advisory: they do not affect I/O.
 *
 * <p>{@code clientId} is that of the session by which the call came; its {@link SlotCall} must not have ended.
 */
public final class Locks {
    private final Ledger ledger;

    Locks(Ledger ledger) {
        this.ledger = ledger;
    }

    /**
     * A lock to acquire.
     *
     * @param isWrite whether it excludes all others; if not, only those that do
     * @param isReclaim whether the owner had it before the server restarted
     */
    public record Wanted(FileKey file, ByteRange range, boolean isWrite, boolean isReclaim) {
        /** A lock that the owner did not have before. */
        public Wanted(FileKey file, ByteRange range, boolean isWrite) {
            this(file, range, isWrite, false);
        }
    }

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
     * @throws StateException OPENMODE if the open does not permit such a lock; GRACE before {@link Clients#reclaimComplete}, and while clients may
     *     reclaim; for a lock to reclaim, NO_GRACE if the client may not, RECLAIM_CONFLICT instead of {@link Denied}; SERVERFAULT if the client has too many locks, NOSPC if it has too
     *     many states, or the file too many lock owners; DELAY if all clients, or those of its address, have too many; BAD_STATEID, OLD_STATEID, EXPIRED
     */
    public LockResult lock(long clientId, StateId openStateId, Opaque owner, Wanted wanted) throws StateException {
        return ledger.call(() -> {
            OpenState open = ledger.find(OpenState.class, clientId, wanted.file(), openStateId);
            require(open, wanted);
            List<Blocking> conflicts = conflicts(clientId, owner, wanted);
            Optional<Denied> denied = firstAlive(conflicts);
            if (denied.isPresent()) {
                return denied(denied.get(), wanted);
            }
            @Nullable LockState known = open.lockOwners.get(owner);
            if (known == null) {
                ledger.makeRoomForState(open.client);
                ledger.requireRoomForLockOwner(open.file);
            }
            ledger.makeRoomForLock(open.client);
            revoke(conflicts);
            return grant(known != null ? known : ledger.addLockOwner(open, owner), wanted);
        });
    }

    /**
     * LOCK by a lock owner with a stateid.
     *
     * @param lockStateId the stateid of earlier locks
     * @throws StateException as for a new owner
     */
    public LockResult lock(long clientId, StateId lockStateId, Wanted wanted) throws StateException {
        return ledger.call(() -> {
            LockState state = ledger.find(LockState.class, clientId, wanted.file(), lockStateId);
            require(state.open, wanted);
            List<Blocking> conflicts = conflicts(clientId, state.owner, wanted);
            Optional<Denied> denied = firstAlive(conflicts);
            if (denied.isPresent()) {
                return denied(denied.get(), wanted);
            }
            ledger.makeRoomForLock(state.client);
            revoke(conflicts);
            return grant(state, wanted);
        });
    }

    private void require(OpenState open, Wanted wanted) throws StateException {
        ledger.grace.require(open.client, wanted.isReclaim());
        if (!open.permits(wanted.isWrite() ? Share.WRITE : Share.READ)) {
            throw new StateException(Status.OPENMODE, "the file is not open for such a lock");
        }
    }

    private static Denied denied(Denied conflict, Wanted wanted) throws StateException {
        if (wanted.isReclaim()) {
            throw new StateException(Status.RECLAIM_CONFLICT, "another client has reclaimed a lock that excludes it");
        }
        return conflict;
    }

    private void revoke(List<Blocking> expired) throws StateException {
        for (Blocking each : expired) {
            ledger.revoke(each.holder());
        }
    }

    private Granted grant(LockState state, Wanted wanted) {
        ledger.change(state, () -> state.ranges.lock(wanted.range(), wanted.isWrite()));
        return new Granted(ledger.changed(state));
    }

    /** A lock that excludes a wanted one. */
    private record Blocking(LockState holder, Locked lock) {}

    private List<Blocking> conflicts(long clientId, Opaque owner, Wanted wanted) {
        return ledger.file(wanted.file()).stream()
                .flatMap(file -> file.opens.stream())
                .flatMap(open -> open.lockOwners.values().stream())
                .filter(holder -> !holder.isOf(clientId, owner))
                .flatMap(holder -> holder.ranges.conflict(wanted.range(), wanted.isWrite()).stream()
                        .map(lock -> new Blocking(holder, lock)))
                .toList();
    }

    /** The first lock of a client whose lease has not expired. */
    private Optional<Denied> firstAlive(List<Blocking> conflicts) {
        return conflicts.stream()
                .filter(each -> !ledger.isExpired(each.holder().client))
                .map(each -> new Denied(
                        each.lock().range(), each.lock().isWrite(), each.holder().client.id, each.holder().owner))
                .findFirst();
    }

    /**
     * LOCKT: what would deny a lock.
     *
     * @throws StateException GRACE while clients may reclaim
     */
    public Optional<Denied> test(long clientId, Opaque owner, Wanted wanted) throws StateException {
        return ledger.call(() -> {
            ledger.grace.requireOver();
            return firstAlive(conflicts(clientId, owner, wanted));
        });
    }

    /**
     * LOCKU. Bytes that are not locked stay so.
     *
     * @throws StateException SERVERFAULT or DELAY if it would split a lock and there are too many, as for LOCK; BAD_STATEID, OLD_STATEID, EXPIRED
     */
    public StateId unlock(long clientId, StateId lockStateId, FileKey file, ByteRange range) throws StateException {
        return ledger.call(() -> {
            LockState state = ledger.find(LockState.class, clientId, file, lockStateId);
            if (state.ranges.isSplitBy(range)) {
                ledger.makeRoomForLock(state.client);
            }
            ledger.change(state, () -> state.ranges.unlock(range));
            return ledger.changed(state);
        });
    }
}
