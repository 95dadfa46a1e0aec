// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The state of a server's clients. Each part has the operations of its own. All are safe for use by several threads, and none blocks but {@link Delegations#awaitReturn} and those that have records of clients stored first.
 */
public final class StateTable {
    private final Clients clients;
    private final Sessions sessions;
    private final Opens opens;
    private final Locks locks;
    private final StateIds stateIds;
    private final Ledger ledger;
    private final BackChannels backChannels;
    private final Delegations delegations;

    /**
     * Nobody has state yet.
     *
     * @param records who had some when the server ended, and may reclaim it
     * @param grace how long they may; {@code records} being empty, there is no grace period
     * @param sender makes callbacks
     */
    public StateTable(
            StateLimits limits, RecordedClients records, Duration grace, InstantSource clock, Callback.Sender sender) {
        ledger = new Ledger(limits, clock, new Grace(records, grace, clock));
        clients = new Clients(ledger);
        sessions = new Sessions(ledger);
        opens = new Opens(ledger);
        locks = new Locks(ledger);
        stateIds = new StateIds(ledger);
        backChannels = new BackChannels(ledger, sender);
        delegations = new Delegations(ledger, backChannels);
    }

    /** Nobody has state yet. Time is measured by the system's monotonic clock. */
    public StateTable(StateLimits limits, RecordedClients records, Duration grace, Callback.Sender sender) {
        this(limits, records, grace, monotonic(), sender);
    }

    private static InstantSource monotonic() {
        Instant start = Instant.now();
        long nanos = System.nanoTime();
        return () -> start.plusNanos(System.nanoTime() - nanos);
    }

    /** EXCHANGE_ID, CREATE_SESSION, DESTROY_CLIENTID, RECLAIM_COMPLETE. */
    public Clients clients() {
        return clients;
    }

    /** SEQUENCE, BIND_CONN_TO_SESSION, DESTROY_SESSION. */
    public Sessions sessions() {
        return sessions;
    }

    /** OPEN, OPEN_DOWNGRADE, CLOSE, and what I/O may do. */
    public Opens opens() {
        return opens;
    }

    /** LOCK, LOCKT, LOCKU. */
    public Locks locks() {
        return locks;
    }

    /** Callbacks to clients. */
    public BackChannels backChannels() {
        return backChannels;
    }

    /** Delegations, and accesses that conflict with them. */
    public Delegations delegations() {
        return delegations;
    }

    /** TEST_STATEID, FREE_STATEID. */
    public StateIds stateIds() {
        return stateIds;
    }

    /**
     * Checks that names may change (REMOVE, RENAME): not while clients may reclaim opens of what they name.
     *
     * @throws StateException GRACE
     */
    public void requireGraceOver() throws StateException {
        ledger.run(ledger.grace::requireOver);
    }
}
