// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.emplace.samples.nfs.server.state.RecordedClients.Unstored;
import org.emplace.samples.nfs.server.state.StateException.Status;
import org.jspecify.annotations.Nullable;

/**
 * All that is remembered, and what removes it. Its monitor guards it and all that it holds: whoever calls a method, or uses one of its
 * objects, holds that monitor.
 */
final class Ledger {
    /** The part of the memory left for slots that one session may take. */
    private static final int PART = 16;

    /** The most opens of a file, and the most lock owners: each operation on the file may look at all of them. */
    private static final int MOST_PER_FILE = 1024;

    final StateLimits limits;
    final Grace grace;

    /** By number. */
    final Map<Long, ClientRecord> clients = new HashMap<>();

    final Map<Opaque, ClientRecord> confirmed = new HashMap<>();
    final Map<Opaque, ClientRecord> unconfirmed = new HashMap<>();
    final Map<SessionId, Session> sessions = new HashMap<>();

    /** The sessions that each connection is bound to. */
    private final Map<Object, Set<Session>> byConnection = new HashMap<>();

    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();
    /** What all clients have, and what those of each address have. */
    private final Usage all = new Usage();

    private final Map<Object, Usage> byAddress = new HashMap<>();
    private final Map<Long, HeldState> states = new HashMap<>();
    private final Map<FileKey, FileState> files = new HashMap<>();

    /** Part of each stateid, so that one of another start of the server is not found. Neither 0 nor -1, which special stateids have. */
    private final int instance = 1 + random.nextInt(Integer.MAX_VALUE - 1);

    private long lastState;

    /** How many delegations clients have. Read without the monitor too. */
    private final AtomicInteger delegations = new AtomicInteger();

    Ledger(StateLimits limits, InstantSource clock, Grace grace) {
        this.limits = limits;
        this.clock = clock;
        this.grace = grace;
    }

    private static final class Usage {
        private int clients;
        private int states;
        private int locks;
        private long slotBytes;
    }

    /** Counts what a client gets, or gives up. */
    private void count(ClientRecord client, Consumer<Usage> change) {
        change.accept(all);
        change.accept(byAddress.computeIfAbsent(client.address, address -> new Usage()));
    }

    /** A client that is known, confirmed or not. One that did not confirm its ID within a lease is not. */
    ClientRecord client(long id) throws StateException {
        @Nullable ClientRecord client = clients.get(id);
        if (client == null || (!client.isConfirmed && isExpired(client))) {
            throw new StateException(Status.STALE_CLIENTID, "client " + Long.toHexString(id) + " is not known");
        }
        return client;
    }

    /** Adds an unconfirmed client. */
    ClientRecord addClient(Clients.ClientOwner owner, CallOrigin origin) throws StateException {
        makeRoom(null, origin.address(), (usage, limit) -> usage.clients < limit.clients());
        ClientRecord client = new ClientRecord(unusedClientId(), owner, origin, now());
        clients.put(client.id, client);
        count(client, usage -> usage.clients++);
        unconfirmed.put(owner.name(), client);
        return client;
    }

    /** Random, so that others cannot guess it, and of no client before a restart. */
    private long unusedClientId() {
        long id = random.nextLong();
        while (id == 0 || clients.containsKey(id)) {
            id = random.nextLong();
        }
        return id;
    }

    /** What an operation does. It may be run more than once, until nothing has to be stored before it. */
    @FunctionalInterface
    interface Operation<R> {
        R run() throws StateException;
    }

    /** Like {@link Operation}. */
    @FunctionalInterface
    interface Action {
        void run() throws StateException;
    }

    /** Runs an operation with the monitor. Whoever calls this does not hold it: what has to be stored first is stored without. */
    <R> R call(Operation<R> operation) throws StateException {
        while (true) {
            Unstored unstored;
            synchronized (this) {
                try {
                    return operation.run();
                } catch (Unstored e) {
                    unstored = e;
                }
            }
            grace.store(unstored);
        }
    }

    /** Like {@link #call}. */
    void run(Action action) throws StateException {
        call(() -> {
            action.run();
            return true;
        });
    }

    /** Removes a client with all that it has. */
    void remove(ClientRecord client) throws StateException {
        if (client.isConfirmed) {
            grace.forget(client);
        }
        clients.remove(client.id);
        confirmed.remove(client.owner.name(), client);
        unconfirmed.remove(client.owner.name(), client);
        List.copyOf(client.sessions).forEach(this::remove);
        List.copyOf(client.states).forEach(this::forget);
        count(client, usage -> usage.clients--);
        byAddress.computeIfPresent(client.address, (address, usage) -> usage.clients == 0 ? null : usage);
    }

    /** Adds a session with as many slots as the memory for them allows. */
    Session addSession(ClientRecord client, ChannelAttributes fore, ChannelAttributes back) throws StateException {
        if (client.sessions.size() >= limits.sessionsPerClient()) {
            throw new StateException(Status.NOSPC, client + " has " + client.sessions.size() + " sessions");
        }
        long each = Session.bytesPerSlot(fore);
        makeRoom(client, client.address, (usage, limit) -> usage.slotBytes + each <= limit.slotBytes());
        // No session takes more than a part of what is left, so that there is some for later ones.
        long left = limits.perAddress().slotBytes() - usage(client.address).slotBytes;
        left = Math.min(left, limits.inAll().slotBytes() - all.slotBytes);
        long affordable = Math.max(1, left / PART / each);
        ChannelAttributes granted = fore.withRequests(Math.min(fore.maxRequests(), affordable));
        Session session = new Session(new SessionId(client.id, random.nextLong()), client, granted, back);
        count(client, usage -> usage.slotBytes += session.slotBytes());
        sessions.put(session.id, session);
        client.sessions.add(session);
        return session;
    }

    /** Binds a connection to a session, if need be instead of another one. */
    void bind(Session session, Object connection) {
        byConnection.computeIfAbsent(connection, key -> new HashSet<>()).add(session);
        session.bind(connection, limits.connectionsPerSession()).ifPresent(other -> unbind(session, other));
    }

    private void unbind(Session session, Object connection) {
        byConnection.computeIfPresent(connection, (key, bound) -> {
            bound.remove(session);
            return bound.isEmpty() ? null : bound;
        });
    }

    /** Unbinds a closed connection from its sessions. */
    void closed(Object connection) {
        @Nullable Set<Session> bound = byConnection.remove(connection);
        if (bound != null) {
            bound.forEach(session -> {
                session.connections.remove(connection);
                session.backChannel.connections.remove(connection);
                session.backChannel.probed.remove(connection);
            });
        }
    }

    void remove(Session session) {
        session.connections.forEach(connection -> unbind(session, connection));
        sessions.remove(session.id);
        session.backChannel.abandon();
        session.client.sessions.remove(session);
        count(session.client, usage -> usage.slotBytes -= session.slotBytes());
    }

    /** @throws StateException BADSESSION */
    Session session(SessionId id) throws StateException {
        @Nullable Session session = sessions.get(id);
        if (session == null) {
            throw new StateException(Status.BADSESSION, "the session is not known");
        }
        return session;
    }

    /** The file, if a client has it open or has a delegation of it, or if a change of it is in progress. */
    Optional<FileState> file(FileKey key) {
        return Optional.ofNullable(files.get(key));
    }

    /** Makes sure that a client may have another state. */
    void makeRoomForState(ClientRecord client) throws StateException {
        if (client.states.size() >= limits.statesPerClient()) {
            throw new StateException(Status.NOSPC, client + " has " + client.states.size() + " states");
        }
        makeRoom(client, client.address, (usage, limit) -> usage.states < limit.states());
    }

    /** Makes sure that a file may have another open, if need be instead of one of an expired client. */
    void makeRoomForOpen(FileKey key) throws StateException {
        @Nullable FileState file = files.get(key);
        if (file != null && file.opens.size() >= MOST_PER_FILE) {
            revoke(file.opens.stream()
                    .filter(open -> isExpired(open.client))
                    .findFirst()
                    .orElseThrow(() -> new StateException(Status.NOSPC, "the file is open too many times")));
        }
    }

    /** Makes sure that a file may have another lock owner. */
    void requireRoomForLockOwner(FileState file) throws StateException {
        if (file.lockOwners >= MOST_PER_FILE) {
            throw new StateException(Status.NOSPC, "the file has too many lock owners");
        }
    }

    /** Makes sure that a client may have another lock: it may split one that it has into three. */
    void makeRoomForLock(ClientRecord client) throws StateException {
        if (client.locks + 2 > limits.locksPerClient()) {
            throw new StateException(Status.SERVERFAULT, client + " has " + client.locks + " locks");
        }
        makeRoom(client, client.address, (usage, limit) -> usage.locks + 2 <= limit.locks());
    }

    /** Adds the open of a file by an owner that does not have it open. There is room. */
    OpenState addOpen(ClientRecord client, Opaque owner, FileKey key) {
        FileState file = files.computeIfAbsent(key, FileState::new);
        OpenState open = new OpenState(++lastState, client, owner, file);
        file.opens.add(open);
        client.opens.put(new ClientRecord.OpenName(owner, key), open);
        return add(open);
    }

    /** Adds a lock owner to an open. There is room. */
    LockState addLockOwner(OpenState open, Opaque owner) {
        LockState state = new LockState(++lastState, open, owner);
        open.lockOwners.put(owner, state);
        open.file.lockOwners++;
        return add(state);
    }

    /** Adds a delegation. There is room. */
    DelegationState addDelegation(ClientRecord client, FileState file, boolean isWrite, Opaque handle, long change) {
        DelegationState state = new DelegationState(++lastState, client, file, isWrite, handle, change);
        file.delegations.add(state);
        delegations.incrementAndGet();
        return add(state);
    }

    /** Whether a client may have another delegation. Together with opens and locks, delegations take half of the states at most. */
    boolean hasRoomForDelegation(ClientRecord client, FileState file) {
        return file.delegations.size() < MOST_PER_FILE
                && client.states.size() < limits.statesPerClient() / 2
                && usage(client.address).states < limits.perAddress().states() / 2
                && all.states < limits.inAll().states() / 2;
    }

    /** Whether anybody has a delegation. Needs no monitor. */
    boolean hasDelegations() {
        return delegations.get() > 0;
    }

    /** Checks that no delegation of a file conflicts. */
    void requireNoDelegation(FileKey key, Predicate<DelegationState> conflicts) throws StateException {
        @Nullable FileState file = files.get(key);
        if (file != null && file.delegations.stream().anyMatch(conflicts)) {
            throw new StateException(Status.DELAY, "a delegation of the file has to be recalled");
        }
    }

    /** Begins a change of a file, which keeps others from getting a delegation. */
    void beginChange(FileKey key) {
        files.computeIfAbsent(key, FileState::new).changes++;
    }

    /** Ends a change of a file. */
    void endChange(FileKey key) {
        files.computeIfPresent(key, (same, file) -> {
            file.changes--;
            return file.isUnused() ? null : file;
        });
    }

    private <T extends HeldState> T add(T state) {
        states.put(state.number, state);
        state.client.states.add(state);
        count(state.client, usage -> usage.states++);
        return state;
    }

    /** Changes a lock owner's ranges. */
    void change(LockState state, Runnable change) {
        int before = state.ranges.size();
        change.run();
        count(state, state.ranges.size() - before);
    }

    private void count(LockState state, int more) {
        state.client.locks += more;
        count(state.client, usage -> usage.locks += more);
    }

    /** Ends what a state holds, and what depends on it. */
    void release(HeldState state) {
        if (state instanceof OpenState open) {
            List.copyOf(open.lockOwners.values()).forEach(this::forget);
        }
        forget(state);
    }

    /** Takes what a state holds away from its client. Until the client frees the stateid, its use fails with EXPIRED or, for a delegation, DELEG_REVOKED. */
    void revoke(HeldState state) throws StateException {
        if (state.isRevoked || !states.containsKey(state.number)) {
            return; // its client may have been removed to make room
        }
        grace.forget(state.client);
        if (state instanceof OpenState open) {
            for (LockState lock : List.copyOf(open.lockOwners.values())) {
                revoke(lock);
            }
        }
        detach(state);
        state.isRevoked = true;
        countRevoked(state, 1);
    }

    private static void countRevoked(HeldState state, int more) {
        if (state instanceof DelegationState) {
            state.client.revokedDelegations += more;
        } else {
            state.client.revoked += more;
        }
    }

    private void forget(HeldState state) {
        if (state.isRevoked) {
            countRevoked(state, -1);
        } else {
            detach(state);
        }
        states.remove(state.number);
        state.client.states.remove(state);
        count(state.client, usage -> usage.states--);
    }

    /** Takes a state off its file. */
    private void detach(HeldState state) {
        if (state instanceof OpenState open) {
            open.client.opens.remove(new ClientRecord.OpenName(open.owner, open.file.key), open);
            open.file.opens.remove(open);
        } else if (state instanceof LockState lock) {
            count(lock, -lock.ranges.size());
            lock.open.lockOwners.remove(lock.owner, lock);
            lock.open.file.lockOwners--;
        } else if (state instanceof DelegationState delegation) {
            delegation.file().delegations.remove(delegation);
            delegation.client.toRecall.remove(delegation);
            delegations.decrementAndGet();
            notifyAll(); // who waits for its return
        }
        if (state.file().isUnused()) {
            files.remove(state.file().key, state.file());
        }
    }

    /** The name that a program knows a state by, after a change. */
    StateId changed(HeldState state) {
        state.seqid = state.seqid == -1 ? 1 : state.seqid + 1;
        return id(state);
    }

    /** The name that a program knows a state by. */
    StateId id(HeldState state) {
        return new StateId(state.seqid, instance, state.number);
    }

    /** A client's state by its stateid, of whatever version, revoked or not. */
    HeldState find(long clientId, StateId id) throws StateException {
        @Nullable HeldState state = id.instance() == instance ? states.get(id.number()) : null;
        if (state == null || state.client.id != clientId) {
            throw new StateException(Status.BAD_STATEID, "a stateid that names none of the client's states");
        }
        return state;
    }

    /** Rejects a state that was revoked, and a stateid that is not the latest. */
    void requireCurrent(HeldState state, StateId id) throws StateException {
        if (state.isRevoked && state instanceof DelegationState) {
            throw new StateException(Status.DELEG_REVOKED, "a delegation that was not returned in time");
        }
        if (state.isRevoked) {
            throw new StateException(Status.EXPIRED, "state was revoked when the lease of its client had expired");
        }
        int ahead = id.seqid() - state.seqid;
        if (id.seqid() != 0 && ahead != 0) {
            throw new StateException(
                    ahead > 0 ? Status.BAD_STATEID : Status.OLD_STATEID,
                    "seqid " + Integer.toUnsignedString(id.seqid()) + " of a state whose seqid is "
                            + Integer.toUnsignedString(state.seqid));
        }
    }

    /** A client's current state of a kind for a file. */
    <T extends HeldState> T find(Class<T> kind, long clientId, FileKey file, StateId id) throws StateException {
        HeldState state = find(clientId, id);
        if (!kind.isInstance(state) || !state.file().key.equals(file)) {
            throw new StateException(Status.BAD_STATEID, "a stateid of another file, or of another kind");
        }
        requireCurrent(state, id);
        return kind.cast(state);
    }

    /** Whether others may have what a client holds. */
    boolean isExpired(ClientRecord client) {
        // Whoever asks for something does so in a call, and so is not expired itself.
        return client.calls == 0 && client.renewed.plus(limits.lease()).isBefore(now());
    }

    Instant now() {
        return clock.instant();
    }

    private Usage usage(Object address) {
        return byAddress.getOrDefault(address, new Usage());
    }

    /**
     * Removes expired clients, the longest silent first, but not the one that asks, until there is room by the bounds of an address and of all.
     *
     * @throws StateException DELAY if there is no room without removing others
     */
    private void makeRoom(@Nullable ClientRecord asker, Object address, BiPredicate<Usage, StateLimits.Bounds> fits)
            throws StateException {
        while (!fits.test(usage(address), limits.perAddress())) {
            removeLongestSilent(
                    client -> client != asker && client.address.equals(address), "the clients of " + address);
        }
        while (!fits.test(all, limits.inAll())) {
            removeLongestSilent(client -> client != asker, "the clients");
        }
    }

    private void removeLongestSilent(Predicate<ClientRecord> which, String whose) throws StateException {
        remove(clients.values().stream()
                .filter(which.and(this::isExpired))
                .min(Comparator.comparing(client -> client.renewed))
                .orElseThrow(() -> new StateException(Status.DELAY, whose + " have as much state as they may")));
    }
}
