// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.server;

import java.time.Duration;
import java.util.Optional;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ServerObserver;
import org.emplace.rpc.ServerObserver.AnswerReport;
import org.emplace.rpc.ServerObserver.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Measures one call at a server, from its arrival to its end. Used by one thread at a time: the owner of the call (see
 * {@link ServerExchange}) and, at the end, the transport.
 */
class CallMeasurement {
    /** Measures nothing; for servers without an observer. */
    static final CallMeasurement NONE = new CallMeasurement();

    private CallMeasurement() {}

    /** Starts to measure a call that has just arrived. */
    static CallMeasurement of(IncomingCall call, ServerObserver observer) {
        return observer == ServerObserver.NONE ? NONE : new Observed(call.length(), observer);
    }

    /** Sets the procedure of the call. */
    void isFor(Procedure<?, ?> procedure) {}

    /** Called before the call's handler runs. */
    void runs() {}

    /** Sets the outcome. May be called several times; the last outcome is reported. */
    void outcome(Outcome outcome) {}

    /** Sets the length of the reply in bytes. May be called several times; the last length is reported. */
    void replies(long bytes) {}

    /** Called when the call is over: reports it to the observer. */
    void over() {}

    private static final class Observed extends CallMeasurement {
        private static final System.Logger LOG = System.getLogger(CallMeasurement.class.getName());

        private final ServerObserver observer;
        private final long received;
        private final long arrived = System.nanoTime();
        private @Nullable Procedure<?, ?> procedure;
        private Outcome outcome = Outcome.DROPPED;
        private long sent;
        private boolean ran;
        private long waited;

        Observed(long received, ServerObserver observer) {
            this.received = received;
            this.observer = observer;
        }

        @Override
        void isFor(Procedure<?, ?> called) {
            procedure = called;
        }

        @Override
        void runs() {
            ran = true;
            waited = System.nanoTime() - arrived;
        }

        @Override
        void outcome(Outcome known) {
            outcome = known;
        }

        @Override
        void replies(long bytes) {
            sent = bytes;
        }

        @Override
        void over() {
            long elapsed = System.nanoTime() - arrived;
            try {
                observer.answered(AnswerReport.of(Optional.ofNullable(procedure), outcome)
                        .withBytes(received, sent)
                        .withTimes(Duration.ofNanos(ran ? waited : elapsed), Duration.ofNanos(elapsed)));
            } catch (RuntimeException | Error broken) {
                LOG.log(System.Logger.Level.ERROR, "the server's observer threw an exception", broken);
            }
        }
    }
}
