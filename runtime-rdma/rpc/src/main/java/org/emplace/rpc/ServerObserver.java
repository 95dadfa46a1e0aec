// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.time.Duration;
import java.util.Optional;

/**
 * Observes the calls that a server answers, for statistics; see {@link org.emplace.RpcServer.Builder#observer}. Calls
 * in the backward direction are not reported. Called concurrently by threads of the server and of its connections; must
 * not block.
 */
@FunctionalInterface
public interface ServerObserver {

    /** An observer that does nothing. A server with this observer takes no measurements. */
    ServerObserver NONE = report -> {};

    /**
     * The reply to a call has been sent; or there is none, because the server has dropped the call or its connection
     * has ended.
     */
    void answered(AnswerReport report);

    /** Returns an observer that calls this one, and then {@code next}. */
    default ServerObserver andThen(ServerObserver next) {
        return report -> {
            answered(report);
            next.answered(report);
        };
    }

    /** How a server answered a call. The constants refer to the replies of RFC 5531 section 9. */
    enum Outcome {
        /** With results. If these did not fit the chunks of the call, the transport replied with ERR_CHUNK instead. */
        SUCCESS,
        /** With the reply to an earlier call, of which this one is a duplicate. */
        DUPLICATE,
        /** With GARBAGE_ARGS: the arguments could not be decoded. */
        GARBAGE_ARGS,
        /** With SYSTEM_ERR: the handler failed. */
        SYSTEM_ERROR,
        /** With PROG_UNAVAIL. */
        PROGRAM_UNAVAILABLE,
        /** With PROG_MISMATCH. */
        PROGRAM_MISMATCH,
        /** With PROC_UNAVAIL. */
        PROCEDURE_UNAVAILABLE,
        /** With MSG_DENIED: the call's credential or verifier was rejected. */
        AUTHENTICATION,
        /** With RPC_MISMATCH or ERR_CHUNK, or over TCP not at all: the message or its chunks violate the protocol. */
        PROTOCOL_ERROR,
        /**
         * Not at all: the server was being closed, a newer duplicate replaced the call, or there was no memory for the
         * arguments or the reply.
         */
        DROPPED;

        /** Whether the caller got results. */
        public boolean isSuccess() {
            return this == SUCCESS || this == DUPLICATE;
        }
    }

    /** One call and its reply. Immutable: each {@code with} returns another object. */
    final class AnswerReport {
        private final Optional<Procedure<?, ?>> procedure;
        private final Outcome outcome;
        private final long bytesReceived;
        private final long bytesSent;
        private final Duration waited;
        private final Duration elapsed;

        private AnswerReport(
                Optional<Procedure<?, ?>> procedure,
                Outcome outcome,
                long bytesReceived,
                long bytesSent,
                Duration waited,
                Duration elapsed) {
            this.procedure = procedure;
            this.outcome = outcome;
            this.bytesReceived = bytesReceived;
            this.bytesSent = bytesSent;
            this.waited = waited;
            this.elapsed = elapsed;
        }

        /** Creates the report of a call without bytes and times; see {@link #procedure} and {@link #outcome}. */
        public static AnswerReport of(Optional<Procedure<?, ?>> procedure, Outcome outcome) {
            return new AnswerReport(procedure, outcome, 0, 0, Duration.ZERO, Duration.ZERO);
        }

        /**
         * The procedure that was called; a procedure 0 without a handler has the name {@code NULL}. Empty if no service
         * has the procedure, or if the call was rejected before it was known.
         */
        public Optional<Procedure<?, ?>> procedure() {
            return procedure;
        }

        /** How the server answered. */
        public Outcome outcome() {
            return outcome;
        }

        /** The length of the call message, including chunks. */
        public long bytesReceived() {
            return bytesReceived;
        }

        /** The length of the reply message, including chunks; 0 if there was no reply. */
        public long bytesSent() {
            return bytesSent;
        }

        /** See {@link #bytesReceived} and {@link #bytesSent}. */
        public AnswerReport withBytes(long received, long sent) {
            return new AnswerReport(procedure, outcome, received, sent, waited, elapsed);
        }

        /**
         * The time from the call's arrival until its handler ran, in which its arguments were fetched and it waited for a
         * thread. If no handler ran, the whole time.
         */
        public Duration waited() {
            return waited;
        }

        /** The time from the call's arrival until its reply was sent. */
        public Duration elapsed() {
            return elapsed;
        }

        /** See {@link #waited} and {@link #elapsed}. */
        public AnswerReport withTimes(Duration untilHandler, Duration untilReply) {
            return new AnswerReport(procedure, outcome, bytesReceived, bytesSent, untilHandler, untilReply);
        }
    }
}
