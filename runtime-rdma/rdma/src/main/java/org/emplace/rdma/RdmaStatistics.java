// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.emplace.rdma.Completion.Operation;

/**
 * What one provider has done, counted from its opening to one moment. Each number is exact, but concurrent work may be
 * in one of them and not yet in another.
 *
 * @param provider the name of the provider
 * @param connectionsOpened established connections, by either side
 * @param connectionsEnded ended connections
 * @param connectionsRejected connection requests that were rejected
 * @param registrations registrations of memory with a device
 * @param deregistrations ended registrations
 * @param registeredBytes bytes of all registrations
 * @param deregisteredBytes bytes of ended registrations
 * @param accessesGranted ranges of memory to which peers were granted access
 * @param accessesEnded ranges of memory to which this access has ended
 * @param work requests and completions of each operation; every operation has an entry
 */
public record RdmaStatistics(
        String provider,
        long connectionsOpened,
        long connectionsEnded,
        long connectionsRejected,
        long registrations,
        long deregistrations,
        long registeredBytes,
        long deregisteredBytes,
        long accessesGranted,
        long accessesEnded,
        Map<Operation, Work> work) {

    /** Copies the map of work. */
    public RdmaStatistics {
        work = Collections.unmodifiableMap(new EnumMap<>(work));
    }

    /** The number of connections that were open. */
    public long connections() {
        return connectionsOpened - connectionsEnded;
    }

    /** The number of bytes that were registered. */
    public long bytesHeld() {
        return registeredBytes - deregisteredBytes;
    }

    /** The number of ranges of memory that peers could access. */
    public long accessesOpen() {
        return accessesGranted - accessesEnded;
    }

    /**
     * The work requests, or the Receives, of one operation.
     *
     * @param posted all of them
     * @param succeeded those that succeeded
     * @param bytes the bytes that these moved
     * @param failed those that failed
     * @param flushed those that did not run before their connection ended
     */
    public record Work(long posted, long succeeded, long bytes, long failed, long flushed) {}
}
