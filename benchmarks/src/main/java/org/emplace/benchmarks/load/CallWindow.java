// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

import java.util.ArrayDeque;
import java.util.Queue;
import org.HdrHistogram.Histogram;

/** Keeps a load's number of calls in flight from one thread, which waits for them in the order in which it started them. */
public final class CallWindow {
    private CallWindow() {}

    /**
     * Starts calls and waits for them.
     *
     * @param <C> a call in progress
     */
    public interface Caller<C> {
        /**
         * Starts a call.
         *
         * @param number how many calls of this run were started before
         */
        C start(Load load, int number) throws Exception;

        /** Waits until a call has succeeded. */
        void finish(C call) throws Exception;
    }

    /**
     * Runs a load.
     *
     * @param durations records for each call the nanoseconds from its start until this thread has waited for it
     */
    public static <C> void run(Caller<C> caller, Load load, Histogram durations) throws Exception {
        Queue<C> underWay = new ArrayDeque<>(load.inFlight());
        long[] startedAt = new long[load.inFlight()];
        for (int number = 0; number < load.calls() + load.inFlight(); number++) {
            int slot = number % load.inFlight();
            if (number >= load.inFlight() && !underWay.isEmpty()) {
                caller.finish(underWay.remove());
                durations.recordValue(System.nanoTime() - startedAt[slot]);
            }
            if (number < load.calls()) {
                startedAt[slot] = System.nanoTime();
                underWay.add(caller.start(load, number));
            }
        }
    }
}
