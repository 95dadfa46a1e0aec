// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.List;
import java.util.SortedMap;

/**
 * The figures of a server for JMX. If the system property {@code org.emplace.jmx} is {@code true}, each {@link
 * org.emplace.RpcServer} registers one while it is open.
 */
public interface RpcServerMXBean {

    /** The addresses at which the server listens, as URIs. */
    List<String> getAddresses();

    /** See {@link ServerLoad#connections}. */
    int getConnections();

    /** See {@link ServerLoad#connectionsRejected}. */
    long getConnectionsRejected();

    /** See {@link ServerLoad#callsRunning}. */
    int getCallsRunning();

    /** See {@link ServerLoad#callsWaiting}. */
    int getCallsWaiting();

    /** See {@link ServerLoad#longestWait}; in seconds. */
    double getLongestWait();

    /** See {@link ServerLoad#repliesKept}. */
    int getRepliesKept();

    /** See {@link ServerLoad#replyBytesKept}. */
    long getReplyBytesKept();

    /**
     * The number of calls since the server started, by {@link ServerObserver.Outcome}. Outcomes without calls have no
     * entry.
     */
    SortedMap<String, Long> getCallsByOutcome();

    /**
     * The calls since the server started, by the name of the procedure. The name is empty for calls that were rejected
     * before the procedure was known.
     */
    SortedMap<String, ProcedureFigures> getProcedures();

    /** The calls of one procedure since the server started. */
    interface ProcedureFigures {
        /** The number of calls. */
        long getCalls();

        /** The number of calls that got no results. */
        long getErrors();

        /** See {@link ServerObserver.AnswerReport#bytesReceived}. */
        long getBytesReceived();

        /** See {@link ServerObserver.AnswerReport#bytesSent}. */
        long getBytesSent();

        /** The sum of {@link ServerObserver.AnswerReport#elapsed}, in seconds. */
        double getSeconds();
    }
}
