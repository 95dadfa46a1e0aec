// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.provider;

import java.util.SortedMap;
import org.emplace.rdma.RdmaProvider.Statistics;
import org.emplace.rdma.WorkRequest.Completion;

/**
 * A provider's {@linkplain Statistics counters} for JMX. If the system property {@code org.emplace.jmx} is {@code
 * true}, each provider registers one while it is open.
 */
public interface RdmaProviderMXBean {

    /** The provider's name. */
    String getProvider();

    /** See {@link Statistics#connections}. */
    long getConnections();

    /** See {@link Statistics#connectionsOpened}. */
    long getConnectionsOpened();

    /** See {@link Statistics#connectionsRejected}. */
    long getConnectionsRejected();

    /** See {@link Statistics#registrations}. */
    long getRegistrations();

    /** See {@link Statistics#bytesHeld}. */
    long getBytesHeld();

    /** See {@link Statistics#accessesGranted}. */
    long getAccessesGranted();

    /** See {@link Statistics#accessesOpen}. */
    long getAccessesOpen();

    /** The figures for each {@link Completion.Operation}, by its name. */
    SortedMap<String, WorkFigures> getWork();

    /** The figures of one operation; see {@link Statistics.Work}. */
    interface WorkFigures {
        /** See {@link Statistics.Work#posted}. */
        long getPosted();

        /** See {@link Statistics.Work#succeeded}. */
        long getSucceeded();

        /** See {@link Statistics.Work#bytes}. */
        long getBytes();

        /** See {@link Statistics.Work#failed}. */
        long getFailed();

        /** See {@link Statistics.Work#flushed}. */
        long getFlushed();
    }
}
