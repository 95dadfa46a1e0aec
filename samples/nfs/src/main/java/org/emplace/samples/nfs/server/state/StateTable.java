// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.time.Instant;
import java.time.InstantSource;

/**
 * The state of a server's clients. Each part has the operations of its own. All are safe for use by several threads, and none blocks.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class StateTable {
    /** Nobody has state yet. */
    public StateTable(StateLimits limits, InstantSource clock) {
        throw new UnsupportedOperationException();
    }

    /** Nobody has state yet. Leases are measured by the system's monotonic clock. */
    public StateTable(StateLimits limits) {
        this(limits, monotonic());
    }

    private static InstantSource monotonic() {
        Instant start = Instant.now();
        long nanos = System.nanoTime();
        return () -> start.plusNanos(System.nanoTime() - nanos);
    }

    /** EXCHANGE_ID, CREATE_SESSION, DESTROY_CLIENTID, RECLAIM_COMPLETE. */
    public Clients clients() {
        throw new UnsupportedOperationException();
    }

    /** SEQUENCE, BIND_CONN_TO_SESSION, DESTROY_SESSION. */
    public Sessions sessions() {
        throw new UnsupportedOperationException();
    }

    /** OPEN, OPEN_DOWNGRADE, CLOSE, and what I/O may do. */
    public Opens opens() {
        throw new UnsupportedOperationException();
    }

    /** LOCK, LOCKT, LOCKU. */
    public Locks locks() {
        throw new UnsupportedOperationException();
    }

    /** TEST_STATEID, FREE_STATEID. */
    public StateIds stateIds() {
        throw new UnsupportedOperationException();
    }
}
