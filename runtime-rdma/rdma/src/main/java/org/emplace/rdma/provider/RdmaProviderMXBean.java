// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.provider;

import java.util.SortedMap;
import org.emplace.rdma.Completion;
import org.emplace.rdma.RdmaStatistics;

/**
 * A provider's {@linkplain RdmaStatistics counters} for JMX. If the system property {@code org.emplace.jmx} is {@code
 * true}, each provider registers one while it is open.
 */
public interface RdmaProviderMXBean {

    /** The provider's name. */
    String getProvider();

    /** See {@link RdmaStatistics#connections}. */
    long getConnections();

    /** See {@link RdmaStatistics#connectionsOpened}. */
    long getConnectionsOpened();

    /** See {@link RdmaStatistics#connectionsRejected}. */
    long getConnectionsRejected();

    /** See {@link RdmaStatistics#registrations}. */
    long getRegistrations();

    /** See {@link RdmaStatistics#bytesHeld}. */
    long getBytesHeld();

    /** See {@link RdmaStatistics#accessesGranted}. */
    long getAccessesGranted();

    /** See {@link RdmaStatistics#accessesOpen}. */
    long getAccessesOpen();

    /** The figures for each {@link Completion.Operation}, by its name. */
    SortedMap<String, WorkFigures> getWork();

    /** The figures of one operation; see {@link RdmaStatistics.Work}. */
    interface WorkFigures {
        /** See {@link RdmaStatistics.Work#posted}. */
        long getPosted();

        /** See {@link RdmaStatistics.Work#succeeded}. */
        long getSucceeded();

        /** See {@link RdmaStatistics.Work#bytes}. */
        long getBytes();

        /** See {@link RdmaStatistics.Work#failed}. */
        long getFailed();

        /** See {@link RdmaStatistics.Work#flushed}. */
        long getFlushed();
    }
}
