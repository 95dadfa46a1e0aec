// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.List;
import java.util.SortedMap;

/** Figures of one server for JMX; registered by each {@link org.emplace.RpcServer} while it is open, if the system property {@code org.emplace.jmx} is set. */
public interface RpcServerMXBean {

    /** The addresses at which the server listens, as URIs. */
    List<String> getAddresses();

    /** See {@link ServerLoad#connections}. */
    int getConnections();

    /** See {@link ServerLoad#connectionsRefused}. */
    long getConnectionsRefused();

    /** See {@link ServerLoad#callsRunning}. */
    int getCallsRunning();

    /** See {@link ServerLoad#callsWaiting}. */
    int getCallsWaiting();

    /** See {@link ServerLoad#repliesKept}. */
    int getRepliesKept();

    /** See {@link ServerLoad#replyBytesKept}. */
    long getReplyBytesKept();

    /** Calls since the server started, by {@link ServerObserver.Outcome}; without outcomes that none had. */
    SortedMap<String, Long> getCallsByOutcome();

    /** Calls since the server started, by the name of their procedure; empty for calls that were refused before that was known. */
    SortedMap<String, ProcedureFigures> getProcedures();

    /** The calls of one procedure since the server started. */
    interface ProcedureFigures {
        /** How many there were. */
        long getCalls();

        /** How many of them got no results. */
        long getErrors();

        /** See {@link ServerObserver.AnswerReport#bytesReceived}. */
        long getBytesReceived();

        /** See {@link ServerObserver.AnswerReport#bytesSent}. */
        long getBytesSent();

        /** The sum of {@link ServerObserver.AnswerReport#elapsed}, in seconds. */
        double getSeconds();
    }
}
