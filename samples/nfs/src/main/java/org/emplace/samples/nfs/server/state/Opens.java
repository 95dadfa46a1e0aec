// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.util.List;
import java.util.function.Predicate;
import org.emplace.samples.nfs.server.state.StateException.Status;
import org.jspecify.annotations.Nullable;

/**
 * The operations of opens. A file that is removed while it is open stays open until CLOSE, or until the state of its client ends.
 *
 * <p>{@code clientId} is that of the session by which the call came; its {@link SlotCall} must not have ended.
 */
public final class Opens {
    private static final Share TO_READ = new Share(Share.READ, Share.NONE);
    private static final Share TO_WRITE = new Share(Share.WRITE, Share.NONE);

    private final Ledger ledger;

    Opens(Ledger ledger) {
        this.ledger = ledger;
    }

    /**
     * What an open permits itself, and what it denies others: {@link #NONE}, {@link #READ}, {@link #WRITE} or {@link #BOTH}, which are the
     * protocol's numbers of OPEN4_SHARE_ACCESS and OPEN4_SHARE_DENY.
     */
    public record Share(int access, int deny) {
        public static final int NONE = 0;
        public static final int READ = 1;
        public static final int WRITE = 2;
        public static final int BOTH = 3;
    }

    /**
     * The result of OPEN.
     *
     * @param isNew whether the owner did not have the file open before: a program whose OPEN fails later closes it then
     */
    public record Opened(StateId stateId, boolean isNew) {}

    /**
     * Checks that a client may open another file, before it is created, and has it recorded.
     *
     * @throws StateException STALE_CLIENTID, GRACE, NOSPC, DELAY as for {@link #open}
     */
    public void requireRoom(long clientId) throws StateException {
        ledger.run(() -> {
            ledger.makeRoomForState(opener(clientId, false));
        });
    }

    private ClientRecord opener(long clientId, boolean isReclaim) throws StateException {
        ClientRecord client = ledger.client(clientId);
        ledger.grace.require(client, isReclaim);
        return client;
    }

    /**
     * OPEN of a file that exists (RFC 8881 section 18.16). If the owner has it open, its open gets what {@code share} adds. Its own open
     * counts too when shares are checked (section 9.7).
     *
     * @throws StateException SHARE_DENIED; INVAL if {@code share} is invalid; STALE_CLIENTID; GRACE before
     *     {@link Clients#reclaimComplete}, and while clients may reclaim; NOSPC if the client has too many states, or the file too many opens; DELAY if all clients, or those of its address, have, or if
     *     {@link Delegations#open} has to recall delegations first
     */
    public Opened open(long clientId, Opaque owner, FileKey file, Share share) throws StateException {
        return open(clientId, owner, file, share, false);
    }

    /**
     * OPEN of a file that the owner had open before the server restarted (CLAIM_PREVIOUS).
     *
     * @throws StateException NO_GRACE if the client may not reclaim; RECLAIM_CONFLICT if another one has reclaimed what excludes it; others as
     *     for {@link #open}
     */
    public Opened reclaim(long clientId, Opaque owner, FileKey file, Share share) throws StateException {
        return open(clientId, owner, file, share, true);
    }

    private Opened open(long clientId, Opaque owner, FileKey file, Share share, boolean isReclaim)
            throws StateException {
        if (share.access() < Share.READ
                || share.access() > Share.BOTH
                || share.deny() < Share.NONE
                || share.deny() > Share.BOTH) {
            throw new StateException(Status.INVAL, share + " is not a share reservation");
        }
        return ledger.call(() -> {
            ClientRecord client = opener(clientId, isReclaim);
            Status conflict = isReclaim ? Status.RECLAIM_CONFLICT : Status.SHARE_DENIED;
            displace(file, open -> open.excludes(share), conflict);
            ledger.requireNoDelegation(file, held -> held.conflictsWith(clientId, share));
            @Nullable OpenState known = client.opens.get(new ClientRecord.OpenName(owner, file));
            if (known == null) {
                ledger.makeRoomForState(client);
                ledger.makeRoomForOpen(file);
            }
            OpenState open = known != null ? known : ledger.addOpen(client, owner, file);
            open.add(share);
            return new Opened(ledger.changed(open), known == null);
        });
    }

    /**
     * Revokes the opens of expired clients that conflict.
     *
     * @throws StateException with this status if a client's lease has not expired
     */
    private void displace(FileKey key, Predicate<OpenState> isInTheWay, Status status) throws StateException {
        @Nullable FileState file = ledger.file(key).orElse(null);
        if (file == null) {
            return;
        }
        List<OpenState> conflicts = file.opens.stream().filter(isInTheWay).toList();
        for (OpenState open : conflicts) {
            if (!ledger.isExpired(open.client)) {
                throw new StateException(status, open.client + " has opened the file with another share");
            }
        }
        for (OpenState open : conflicts) {
            ledger.revoke(open);
        }
    }

    /**
     * OPEN_DOWNGRADE (RFC 8881 section 18.18).
     *
     * @throws StateException INVAL if no subset of the opens that made the state comes to {@code share}; BAD_STATEID, OLD_STATEID, EXPIRED
     */
    public StateId downgrade(long clientId, FileKey file, StateId stateId, Share share) throws StateException {
        synchronized (ledger) {
            OpenState open = ledger.find(OpenState.class, clientId, file, stateId);
            if (!open.reduceTo(share)) {
                throw new StateException(Status.INVAL, "no OPENs of the owner come to " + share);
            }
            return ledger.changed(open);
        }
    }

    /**
     * CLOSE (RFC 8881 section 18.2). Releases the locks that were acquired under the open.
     *
     * @return what CLOSE answers
     * @throws StateException BAD_STATEID, OLD_STATEID, EXPIRED
     */
    public StateId close(long clientId, FileKey file, StateId stateId) throws StateException {
        synchronized (ledger) {
            ledger.release(ledger.find(OpenState.class, clientId, file, stateId));
            return StateId.INVALID;
        }
    }

    /**
     * Whether a client may read the file with the stateid of an open, a lock or a delegation, or a special one. Write access includes reading, because clients
     * read what surrounds the bytes that they write (RFC 8881 section 18.22.3).
     *
     * @throws StateException LOCKED if others deny reading; GRACE for {@link StateId#ANONYMOUS} while clients may reclaim; BAD_STATEID, OLD_STATEID, EXPIRED, DELEG_REVOKED
     */
    public void checkRead(long clientId, FileKey file, StateId stateId) throws StateException {
        ledger.run(() -> {
            if (stateId.equals(StateId.READ_BYPASS)) {
                return;
            }
            if (stateId.equals(StateId.ANONYMOUS)) {
                ledger.grace.requireOver();
                checkRead(file);
                return;
            }
            HeldState held = ledger.find(HeldState.class, clientId, file, stateId);
            if (!held.permits(Share.READ)) {
                displace(file, other -> !held.isUnder(other) && other.excludes(TO_READ), Status.LOCKED);
            }
        });
    }

    /**
     * Whether a client may write the file, or set its size, with the stateid of an open, a lock or a delegation, or a special one.
     *
     * @throws StateException LOCKED if others deny writing; GRACE for a special one while clients may reclaim; OPENMODE; BAD_STATEID, OLD_STATEID, EXPIRED, DELEG_REVOKED
     */
    public void checkWrite(long clientId, FileKey file, StateId stateId) throws StateException {
        ledger.run(() -> {
            if (stateId.equals(StateId.READ_BYPASS) || stateId.equals(StateId.ANONYMOUS)) {
                ledger.grace.requireOver();
                checkWrite(file);
                return;
            }
            if (!ledger.find(HeldState.class, clientId, file, stateId).permits(Share.WRITE)) {
                throw new StateException(Status.OPENMODE, "the file is not open for writing");
            }
        });
    }

    /**
     * Whether somebody without an open may read the file, such as a client of version 3.
     *
     * @throws StateException LOCKED if an open denies reading
     */
    public void checkRead(FileKey file) throws StateException {
        ledger.run(() -> {
            displace(file, open -> open.excludes(TO_READ), Status.LOCKED);
        });
    }

    /**
     * Whether somebody without an open may write the file, or set its size.
     *
     * @throws StateException LOCKED if an open denies writing
     */
    public void checkWrite(FileKey file) throws StateException {
        ledger.run(() -> {
            displace(file, open -> open.excludes(TO_WRITE), Status.LOCKED);
        });
    }

    /** Whether any client has the file open. */
    public boolean isOpen(FileKey file) {
        synchronized (ledger) {
            return ledger.file(file).filter(known -> !known.opens.isEmpty()).isPresent();
        }
    }
}
