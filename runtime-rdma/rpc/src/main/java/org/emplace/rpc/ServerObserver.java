// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.time.Duration;
import java.util.Optional;

/**
 * Is told of every call that a server has answered, for statistics; see {@link org.emplace.RpcServer.Builder#observer}. It is not told of calls in backward
 * direction. Called on the server's and its connections' threads, several at a time; must not block.
 */
@FunctionalInterface
public interface ServerObserver {

    /** Ignores everything. A server that has it measures nothing. */
    ServerObserver NONE = report -> {};

    /** The reply to a call has been sent, or there is none: the server has dropped the call, or its connection has ended. */
    void answered(AnswerReport report);

    /** Tells this observer first, then another. */
    default ServerObserver andThen(ServerObserver next) {
        return report -> {
            answered(report);
            next.answered(report);
        };
    }

    /** How a server answered a call. */
    enum Outcome {
        /** With results. If they did not fit what the call offered, the transport has answered with ERR_CHUNK instead. */
        SUCCESS,
        /** With the reply that the first of several equal calls got. */
        DUPLICATE,
        /** With GARBAGE_ARGS: the arguments could not be decoded. */
        GARBAGE_ARGS,
        /** With SYSTEM_ERR: the handler failed. */
        SYSTEM_ERROR,
        /** With SYSTEM_ERR: too many calls waited already. */
        OVERLOADED,
        /** With PROG_UNAVAIL. */
        PROGRAM_UNAVAILABLE,
        /** With PROG_MISMATCH. */
        PROGRAM_MISMATCH,
        /** With PROC_UNAVAIL. */
        PROCEDURE_UNAVAILABLE,
        /** With MSG_DENIED: the call's credential or verifier was refused. */
        AUTHENTICATION,
        /** With RPC_MISMATCH, with ERR_CHUNK, or by TCP not at all: the message or its chunks break the protocol. */
        PROTOCOL_ERROR,
        /** Not at all: the server was about to close, a newer duplicate took the call's place, or there was no memory for the arguments or the reply. */
        DROPPED;

        /** Whether the caller got results. */
        public boolean isSuccess() {
            return this == SUCCESS || this == DUPLICATE;
        }
    }

    /**
     * One call and its reply.
     *
     * @param procedure that was called; procedure 0 without a handler is called {@code NULL}. Empty if no service has the procedure, or the call was
     *     refused earlier
     * @param outcome how it was answered
     * @param bytesReceived length of the call message, with what came in chunks
     * @param bytesSent length of the reply message, with what goes in chunks; 0 if there is none
     * @param waited from the call's arrival until its handler ran: its arguments were fetched, and it got a thread. The whole time if none ran
     * @param elapsed from the call's arrival until its reply was sent
     */
    record AnswerReport(
            Optional<Procedure<?, ?>> procedure,
            Outcome outcome,
            long bytesReceived,
            long bytesSent,
            Duration waited,
            Duration elapsed) {}
}
