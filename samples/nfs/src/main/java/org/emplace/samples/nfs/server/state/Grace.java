// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import org.emplace.samples.nfs.server.state.RecordedClients.Unstored;
import org.emplace.samples.nfs.server.state.StateException.Status;

/**
 * The grace period after a restart: recorded clients reclaim what they held, and no client gets anything else (RFC 8881 section 8.4.2). It ends when all of
 * them have sent RECLAIM_COMPLETE, or when its time has passed. The clients that have not sent it by then lose their records before another client gets what they held.
 * The monitor of the {@code Ledger} guards it.
 */
final class Grace {
    private final RecordedClients records;
    private final InstantSource clock;
    private final Instant end;

    /** The records of clients that may still reclaim. There is no grace without any. */
    private final Set<String> awaited;

    /** Begins it, for all clients that are recorded. */
    Grace(RecordedClients records, Duration length, InstantSource clock) {
        this.records = records;
        this.clock = clock;
        this.end = clock.instant().plus(length);
        this.awaited = records.all();
    }

    private boolean lasts() throws Unstored {
        if (!awaited.isEmpty() && clock.instant().isAfter(end)) {
            records.requireForgotten(awaited);
            awaited.clear();
        }
        return !awaited.isEmpty();
    }

    /** Whether a client has to reclaim, or to say that there is nothing to reclaim. */
    boolean awaits(ClientRecord client) {
        return awaited.contains(client.record) && !clock.instant().isAfter(end);
    }

    /** Throws GRACE while clients may reclaim. */
    void requireOver() throws StateException {
        if (lasts()) {
            throw new StateException(Status.GRACE, awaited.size() + " clients may still reclaim what they held");
        }
    }

    /**
     * Checks that a client may have an open or a lock, and has it recorded.
     *
     * @param isReclaim whether it says that it had it before the restart
     * @throws StateException NO_GRACE if it may not reclaim, also if another one may have got it (RFC 8881 section 8.4.3); GRACE if it may not get more
     *     yet (section 18.51.3)
     */
    void require(ClientRecord client, boolean isReclaim) throws StateException {
        if (isReclaim) {
            if (client.hasReclaimed || !awaits(client)) {
                throw new StateException(Status.NO_GRACE, client + " can reclaim nothing");
            }
        } else if (!client.hasReclaimed) {
            throw new StateException(Status.GRACE, client + " has not sent RECLAIM_COMPLETE");
        } else {
            requireOver();
            if (client.allRevoked() == 0) {
                requireRecorded(client); // not one that others have taken something from, until it knows
            }
        }
    }

    /** Has a client recorded, so that it may reclaim after the next restart. */
    void requireRecorded(ClientRecord client) throws Unstored {
        records.requireRecorded(client.record);
    }

    /** Has a client's record removed, before others may get what it has. */
    void forget(ClientRecord client) throws Unstored {
        records.requireForgotten(Set.of(client.record));
        awaited.remove(client.record);
    }

    /** Does not wait for a client any more: it has reclaimed what it had. */
    void complete(ClientRecord client) {
        awaited.remove(client.record);
    }

    /** Stores what an operation needs. Without the monitor. */
    void store(Unstored unstored) throws StateException {
        records.store(unstored);
    }
}
