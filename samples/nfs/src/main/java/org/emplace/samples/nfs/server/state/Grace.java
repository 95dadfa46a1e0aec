// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
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

    private boolean lasts() {
        if (!awaited.isEmpty() && clock.instant().isAfter(end)) {
            awaited.forEach(records::remove);
            awaited.clear();
        }
        return !awaited.isEmpty();
    }

    /** Whether a client has to reclaim, or to say that there is nothing to reclaim. */
    boolean awaits(ClientRecord client) {
        return lasts() && awaited.contains(client.record);
    }

    /** Throws GRACE while clients may reclaim. */
    void requireOver() throws StateException {
        if (lasts()) {
            throw new StateException(Status.GRACE, awaited.size() + " clients may still reclaim what they held");
        }
    }

    /**
     * Checks that a client may have an open or a lock.
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
        }
    }

    /** Records that a client may reclaim after the next restart. */
    void record(ClientRecord client) {
        awaited.remove(client.record);
        records.add(client.record);
    }

    /** Records that a client may reclaim no more. */
    void forget(ClientRecord client) {
        awaited.remove(client.record);
        records.remove(client.record);
    }
}
