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
     * @throws StateException OPENMODE if the open does not permit such a lock; SERVERFAULT if the client has too many locks, NOSPC if it has too
     *     many states; DELAY if all clients, or those of its address, have too many; BAD_STATEID, OLD_STATEID, EXPIRED
     */
    public LockResult lock(long clientId, StateId openStateId, Opaque owner, Wanted wanted) throws StateException {
        synchronized (ledger) {
            OpenState open = ledger.find(OpenState.class, clientId, wanted.file(), openStateId);
            requireAccess(open, wanted);
            List<Blocking> conflicts = conflicts(clientId, owner, wanted);
            Optional<Denied> denied = firstAlive(conflicts);
            if (denied.isPresent()) {
                return denied.get();
            }
            @Nullable LockState known = open.lockOwners.get(owner);
            if (known == null) {
                ledger.makeRoomForState(open.client);
            }
            ledger.makeRoomForLock(open.client);
            return grant(conflicts, known != null ? known : ledger.addLockOwner(open, owner), wanted);
        }
    }

    /**
     * LOCK by a lock owner with a stateid.
     *
     * @param lockStateId the stateid of earlier locks
     * @throws StateException as for a new owner
     */
    public LockResult lock(long clientId, StateId lockStateId, Wanted wanted) throws StateException {
        synchronized (ledger) {
            LockState state = ledger.find(LockState.class, clientId, wanted.file(), lockStateId);
            requireAccess(state.open, wanted);
            List<Blocking> conflicts = conflicts(clientId, state.owner, wanted);
            Optional<Denied> denied = firstAlive(conflicts);
            if (denied.isPresent()) {
                return denied.get();
            }
            ledger.makeRoomForLock(state.client);
            return grant(conflicts, state, wanted);
        }
    }

    private static void requireAccess(OpenState open, Wanted wanted) throws StateException {
        if (!open.permits(wanted.isWrite() ? Share.WRITE : Share.READ)) {
            throw new StateException(Status.OPENMODE, "the file is not open for such a lock");
        }
    }

    private Granted grant(List<Blocking> expired, LockState state, Wanted wanted) {
        expired.forEach(each -> ledger.revoke(each.holder()));
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

    /** LOCKT: what would deny a lock. */
    public Optional<Denied> test(long clientId, Opaque owner, Wanted wanted) {
        synchronized (ledger) {
            return firstAlive(conflicts(clientId, owner, wanted));
        }
    }

    /**
     * LOCKU. Bytes that are not locked stay so.
     *
     * @throws StateException SERVERFAULT or DELAY if it would split a lock and there are too many, as for LOCK; BAD_STATEID, OLD_STATEID, EXPIRED
     */
    public StateId unlock(long clientId, StateId lockStateId, FileKey file, ByteRange range) throws StateException {
        synchronized (ledger) {
            LockState state = ledger.find(LockState.class, clientId, file, lockStateId);
            if (state.ranges.isSplitBy(range)) {
                ledger.makeRoomForLock(state.client);
            }
            ledger.change(state, () -> state.ranges.unlock(range));
            return ledger.changed(state);
        }
    }
}
