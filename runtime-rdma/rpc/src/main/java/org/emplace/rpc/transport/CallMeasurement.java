// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.time.Duration;
import java.util.Optional;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ServerObserver;
import org.emplace.rpc.ServerObserver.AnswerReport;
import org.emplace.rpc.ServerObserver.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Measures one call of a server, from its arrival until it is over. Used by one thread at a time: whoever owns the call, as {@link ServerExchange}
 * says, and at the end the transport.
 */
class CallMeasurement {
    /** Measures nothing: for servers that nobody observes. */
    static final CallMeasurement NONE = new CallMeasurement();

    private CallMeasurement() {}

    /** Begins to measure a call that has just arrived. */
    static CallMeasurement of(IncomingCall call, ServerObserver observer) {
        return observer == ServerObserver.NONE ? NONE : new Observed(call.length(), observer);
    }

    /** The call is for this procedure. */
    void isFor(Procedure<?, ?> procedure) {}

    /** The call's handler runs next. */
    void runs() {}

    /** The call will be answered like this. Of several outcomes, the last counts. */
    void outcome(Outcome outcome) {}

    /** A reply of this length is posted. Of several, the last counts. */
    void replies(long bytes) {}

    /** The call is over; tells the observer. */
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
            AnswerReport report = new AnswerReport(
                    Optional.ofNullable(procedure),
                    outcome,
                    received,
                    sent,
                    Duration.ofNanos(ran ? waited : elapsed),
                    Duration.ofNanos(elapsed));
            try {
                observer.answered(report);
            } catch (RuntimeException broken) {
                LOG.log(System.Logger.Level.ERROR, "the server's observer threw", broken);
            }
        }
    }
}
