// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.SortedMap;

/**
 * A provider's {@linkplain RdmaCounters counters} for JMX. If the system property {@code org.emplace.jmx} is {@code
 * true}, each provider registers one while it is open.
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

    /** The figures for each {@link Completion.Operation}, by its name. */
    SortedMap<String, WorkFigures> getWork();

    /** The figures of one operation; see {@link RdmaCounters.Work}. */
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
