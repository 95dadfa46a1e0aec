// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.emplace.samples.nfs.server.state.Opens.Share;
import org.jspecify.annotations.Nullable;

/**
 * The operations of delegations (RFC 8881 section 10.4). A program calls this class before it accesses a file, by any version of the protocol. If an access
 * conflicts with another client's delegation, the delegation is recalled, and the access fails with DELAY until the client has returned it. If the client does not
 * return it within a lease, the next conflicting access revokes it. A delegation of a client whose lease has expired is revoked at once.
 */
public final class Delegations {
    /** Stands for the client of an access by another version of the protocol. */
    public static final long NOBODY = 0;

    /** A read delegation conflicts with opens of others that may write, or deny reading. */
    private static final Share READING = new Share(Share.READ, Share.WRITE);

    private static final Share EVERYTHING = new Share(Share.BOTH, Share.BOTH);

    /** The most files that are remembered because their delegations were recalled. */
    private static final int MOST_CONTENDED = 1024;

    private final Ledger ledger;
    private final BackChannels channels;

    /** When delegations of files last kept others waiting, in that order. */
    private final Map<FileKey, Instant> contended = new LinkedHashMap<>();

    Delegations(Ledger ledger, BackChannels channels) {
        this.ledger = ledger;
        this.channels = channels;
    }

    /** What a client wants to have (OPEN4_SHARE_ACCESS_WANT). */
    public enum Want {
        READ,
        WRITE,
        /** Whichever suits the open. */
        ANY
    }

    /** What {@link #grant} decides: {@link Granted} or {@link Refused}. */
    public sealed interface Decision permits Granted, Refused {}

    /** A delegation. */
    public record Granted(StateId stateId, boolean isWrite) implements Decision {}

    /** Why there is no delegation. */
    public enum Refused implements Decision {
        /** Others use the file, or wanted it less than a lease ago, or the client has such a delegation of it. */
        CONTENTION,
        /** The client cannot be called back, or clients have enough delegations. */
        RESOURCE,
        /** The client has a read delegation of the file. */
        NO_UPGRADE,
        /** The client has a write delegation of the file. */
        NO_DOWNGRADE
    }

    /** A change of a file in progress. While it lasts, nobody gets a delegation of the file. */
    public final class Change {
        private final FileKey file;

        private Change(FileKey file) {
            this.file = file;
            ledger.beginChange(file);
        }

        /** Ends the change. */
        public void end() {
            synchronized (ledger) {
                ledger.endChange(file);
            }
        }
    }

    /**
     * Grants a delegation to a client that has opened a file, if there is no reason against it.
     *
     * @param openStateId the open
     * @param handle the filehandle by which the client knows the file
     * @param change the file's change attribute, for a write delegation
     * @throws StateException BAD_STATEID, OLD_STATEID, EXPIRED
     */
    public Decision grant(long clientId, FileKey key, StateId openStateId, Want want, Opaque handle, long change)
            throws StateException {
        synchronized (ledger) {
            OpenState open = ledger.find(OpenState.class, clientId, key, openStateId);
            ClientRecord client = open.client;
            FileState file = open.file;
            boolean isWrite = want != Want.READ && open.permits(Share.WRITE);
            Share share = isWrite ? EVERYTHING : READING;
            for (DelegationState other : file.delegations) {
                if (other.client == client) {
                    return refusal(other.isWrite, isWrite);
                } else if (other.isWrite || isWrite) {
                    return Refused.CONTENTION;
                }
            }
            if (file.changes > 0
                    || isContended(key)
                    || file.opens.stream().anyMatch(other -> other.client != client && other.excludes(share))) {
                return Refused.CONTENTION;
            }
            if (!BackChannels.isUp(client) || !ledger.hasRoomForDelegation(client, file)) {
                return Refused.RESOURCE;
            }
            return new Granted(ledger.changed(ledger.addDelegation(client, file, isWrite, handle, change)), isWrite);
        }
    }

    /** Whether others may still be waiting, or else would have to wait again soon. */
    private boolean isContended(FileKey file) {
        @Nullable Instant last = contended.get(file);
        return last != null && !last.plus(ledger.limits.lease()).isBefore(ledger.now());
    }

    private void contend(FileKey file) {
        contended.remove(file);
        contended.put(file, ledger.now());
        if (contended.size() > MOST_CONTENDED) {
            contended.remove(contended.keySet().iterator().next());
        }
    }

    private static Refused refusal(boolean has, boolean wants) {
        if (has == wants) {
            return Refused.CONTENTION;
        }
        return wants ? Refused.NO_UPGRADE : Refused.NO_DOWNGRADE;
    }

    /**
     * Recalls what conflicts with an open.
     *
     * @throws StateException DELAY until it is returned
     */
    public void open(long clientId, FileKey file, Share share) throws StateException {
        access(file, held -> held.conflictsWith(clientId, share), () -> true);
    }

    /**
     * Recalls a write delegation of others, because its holder may have changed contents or attributes that are to be read.
     *
     * @throws StateException DELAY until it is returned
     */
    public void read(long clientId, FileKey file) throws StateException {
        access(file, held -> held.isWrite && held.client.id != clientId, () -> true);
    }

    /**
     * Asks the holder of a write delegation of a file, if that is another client, whether it has changed the file without telling the server (RFC 8881
     * section 10.4.3).
     *
     * @return the size that it has given the file; empty if it has not changed it, or nobody holds one. Fails if the holder cannot be asked, or does not
     *     answer: then the delegation is to be recalled.
     */
    public CompletableFuture<OptionalLong> inquire(long clientId, FileKey key) {
        Callback callback;
        CompletableFuture<OptionalLong> answer = new CompletableFuture<>();
        synchronized (ledger) {
            Optional<DelegationState> holder = ledger.file(key).stream()
                    .flatMap(file -> file.delegations.stream())
                    .filter(held -> held.isWrite && held.client.id != clientId)
                    .findFirst();
            if (holder.isEmpty()) {
                return CompletableFuture.completedFuture(OptionalLong.empty());
            }
            DelegationState held = holder.get();
            if (held.inquiry != null) {
                return held.inquiry;
            }
            Optional<Callback> made =
                    held.recalled != null || ledger.isExpired(held.client) ? Optional.empty() : channels.inquiry(held);
            held.inquiry = answer;
            if (made.isEmpty()) {
                held.answer(Optional.empty());
                return answer;
            }
            callback = made.get();
        }
        channels.send(List.of(callback));
        return answer;
    }

    /**
     * Recalls delegations of others, and begins a change of the contents, the attributes or a name of a file.
     *
     * @throws StateException DELAY until they are returned
     */
    public Change change(long clientId, FileKey file) throws StateException {
        return access(file, held -> held.client.id != clientId, () -> new Change(file));
    }

    /** @param begin is run with the monitor if nothing conflicts */
    private <R> R access(FileKey key, Predicate<DelegationState> conflicts, Supplier<R> begin) throws StateException {
        List<Callback> callbacks = new ArrayList<>();
        try {
            return ledger.call(() -> {
                List<DelegationState> held = ledger.file(key).stream()
                        .flatMap(file -> file.delegations.stream())
                        .filter(conflicts)
                        .toList();
                for (DelegationState each : held) {
                    recall(each, callbacks);
                }
                ledger.requireNoDelegation(key, conflicts);
                return begin.get();
            });
        } finally {
            channels.send(callbacks);
        }
    }

    private void recall(DelegationState held, List<Callback> callbacks) throws StateException {
        contend(held.file().key);
        ClientRecord client = held.client;
        if (ledger.isExpired(client)
                || (held.recalled != null
                        && held.recalled.plus(ledger.limits.lease()).isBefore(ledger.now()))) {
            ledger.revoke(held);
            return;
        }
        if (held.recalled == null) {
            held.recalled = ledger.now();
        }
        if (!held.isRecalling) {
            held.isRecalling = true;
            client.toRecall.add(held);
        }
        callbacks.addAll(channels.next(client));
    }

    /** Whether anybody has a delegation. Cheap. */
    public boolean exist() {
        return ledger.hasDelegations();
    }

    /** Waits until all delegations of a file that are being recalled have been returned, or for a time. */
    public void awaitReturn(FileKey file, Duration most) throws InterruptedException {
        long end = System.nanoTime() + most.toNanos();
        synchronized (ledger) {
            for (long left = most.toNanos(); left > 0 && isRecalling(file); left = end - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(ledger, left);
            }
        }
    }

    private boolean isRecalling(FileKey key) {
        return ledger.file(key).stream()
                .flatMap(file -> file.delegations.stream())
                .anyMatch(held -> held.recalled != null);
    }

    /**
     * Checks that a client has a delegation of a file by which it opens the file (CLAIM_DELEGATE_CUR).
     *
     * @throws StateException BAD_STATEID, OLD_STATEID, DELEG_REVOKED
     */
    public void require(long clientId, FileKey file, StateId stateId) throws StateException {
        synchronized (ledger) {
            ledger.find(DelegationState.class, clientId, file, stateId);
        }
    }

    /**
     * DELEGRETURN (RFC 8881 section 18.6).
     *
     * @throws StateException BAD_STATEID, OLD_STATEID, DELEG_REVOKED
     */
    public void giveBack(long clientId, FileKey file, StateId stateId) throws StateException {
        synchronized (ledger) {
            ledger.release(ledger.find(DelegationState.class, clientId, file, stateId));
        }
    }
}
