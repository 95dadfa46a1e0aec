// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.SortedMap;

/**
 * A provider's {@linkplain RdmaCounters counters} for JMX; registered for each provider while it is open, if the system property {@code
 * org.emplace.jmx} is set. See {@link RdmaCounters.Snapshot} for what each number means.
 */
public interface RdmaProviderMXBean {

    /** The provider's name. */
    String getProvider();

    /** See {@link RdmaCounters.Snapshot#connections}. */
    long getConnections();

    /** See {@link RdmaCounters.Snapshot#connectionsOpened}. */
    long getConnectionsOpened();

    /** See {@link RdmaCounters.Snapshot#connectionsRejected}. */
    long getConnectionsRejected();

    /** See {@link RdmaCounters.Snapshot#registrations}. */
    long getRegistrations();

    /** See {@link RdmaCounters.Snapshot#bytesHeld}. */
    long getBytesHeld();

    /** See {@link RdmaCounters.Snapshot#accessesGranted}. */
    long getAccessesGranted();

    /** See {@link RdmaCounters.Snapshot#accessesOpen}. */
    long getAccessesOpen();

    /** By {@link Completion.Operation}; all are there. */
    SortedMap<String, WorkFigures> getWork();

    /** One kind of work; see {@link RdmaCounters.Work}. */
    interface WorkFigures {
        /** See {@link RdmaCounters.Work#posted}. */
        long getPosted();

        /** See {@link RdmaCounters.Work#succeeded}. */
        long getSucceeded();

        /** See {@link RdmaCounters.Work#bytes}. */
        long getBytes();

        /** See {@link RdmaCounters.Work#failed}. */
        long getFailed();

        /** See {@link RdmaCounters.Work#flushed}. */
        long getFlushed();
    }
}
