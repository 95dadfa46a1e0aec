// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.server;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.emplace.reactor.LogSampler;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ServerCall;

/**
 * Logs calls that fail at the server. For each procedure and class of exception, the failures are {@linkplain
 * LogSampler sampled}. A lack of memory, which peers can cause, ends the connection and is logged without a stack trace. Safe for use by several
 * threads.
 */
final class FailureLog {
    private final Logger log;
    private final Map<Kind, LogSampler> samplers = new ConcurrentHashMap<>();
    private final LogSampler unanswerable = new LogSampler();
    private final LogSampler unauthenticated = new LogSampler();

    /** Creates a log without failures. */
    FailureLog(Logger log) {
        this.log = log;
    }

    /** Logs that a call failed and is answered with SYSTEM_ERR. */
    void failed(ServerCall call, Procedure<?, ?> procedure, Throwable failure) {
        Kind kind = new Kind(procedure.toString(), failure.getClass());
        samplers.computeIfAbsent(kind, first -> new LogSampler())
                .event(count -> log.log(
                        Level.WARNING,
                        call + " " + procedure + " failed and was answered with SYSTEM_ERR" + "; such failures so far: "
                                + count,
                        failure));
    }

    /** Logs that memory or a thread to answer a call is lacking, so that its connection is closed. */
    void unanswerable(IncomingCall call, int xid, Throwable lack) {
        unanswerable.event(count -> log.log(
                Level.WARNING,
                "cannot answer call 0x" + Integer.toHexString(xid) + " from "
                        + call.connection().remoteAddress() + ", so its connection is closed: " + firstLine(lack)
                        + "; such calls so far: " + count));
    }

    /** Logs that an authentication flavor failed on a call, which is answered with AUTH_FAILED. */
    void unauthenticated(IncomingCall call, int xid, Throwable failure) {
        unauthenticated.event(count -> log.log(
                Level.WARNING,
                "the authentication flavor of call 0x" + Integer.toHexString(xid) + " from "
                        + call.connection().remoteAddress()
                        + " failed, and the call was answered with AUTH_FAILED; such calls so far: "
                        + count,
                failure));
    }

    private static String firstLine(Throwable failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    private record Kind(String procedure, Class<?> failure) {}
}
