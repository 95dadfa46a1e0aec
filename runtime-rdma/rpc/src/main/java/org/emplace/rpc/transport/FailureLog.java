// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ServerCall;

/**
 * Logs the calls whose handlers failed. Failures of one procedure by exceptions of one class are {@linkplain LogSampler sampled}
 * together. Safe for use by several threads.
 */
final class FailureLog {
    private final Logger log;
    private final Map<Kind, LogSampler> samplers = new ConcurrentHashMap<>();
    private final LogSampler unanswerable = new LogSampler();
    private final LogSampler unauthenticated = new LogSampler();

    /** A log of no failures yet. */
    FailureLog(Logger log) {
        this.log = log;
    }

    /** Notes that a call failed and is answered with SYSTEM_ERR. */
    void failed(ServerCall call, Procedure<?, ?> procedure, Throwable failure) {
        Kind kind = new Kind(procedure.toString(), failure.getClass());
        samplers.computeIfAbsent(kind, first -> new LogSampler())
                .event(count -> log.log(
                        Level.WARNING,
                        call + " " + procedure + " failed, answered with SYSTEM_ERR; failures like this so far: "
                                + count,
                        failure));
    }

    /** Notes that there is no memory to answer a call, whose connection is closed. */
    void unanswerable(IncomingCall call, int xid, Throwable exhausted) {
        unanswerable.event(count -> log.log(
                Level.WARNING,
                "no memory to answer call 0x" + Integer.toHexString(xid) + " from "
                        + call.connection().remoteAddress() + ", its connection is closed; calls like this so far: "
                        + count,
                exhausted));
    }

    /** Logs that an authentication flavor failed on a call, which is answered with AUTH_FAILED. */
    void unauthenticated(IncomingCall call, int xid, Throwable failure) {
        unauthenticated.event(count -> log.log(
                Level.WARNING,
                "the authentication flavor of call 0x" + Integer.toHexString(xid) + " from "
                        + call.connection().remoteAddress()
                        + " failed, answered with AUTH_FAILED; calls like this so far: "
                        + count,
                failure));
    }

    private record Kind(String procedure, Class<?> failure) {}
}
