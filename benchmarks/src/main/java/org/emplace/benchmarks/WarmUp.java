// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.io.IOException;
import java.time.Duration;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.process.Measured;
import org.emplace.benchmarks.process.Subject;

/**
 * Runs a load on a subject until the JVM's compilers are nearly idle.
 *
 * @param run the duration of a measured run
 * @param limit the longest wait for the compilers
 */
record WarmUp(Duration run, Duration limit) {
    /** The number of quiet runs in a row that end the warm-up. */
    private static final int QUIET_RUNS = 3;
    /** The most compiler time of a quiet run, as a part of the run's time. */
    private static final double QUIET = 0.02;
    /** How many times as many calls the next run may have. */
    private static final int MOST_GROWTH = 8;

    private static final int FIRST_CALLS = 20;
    private static final int MOST_CALLS = 1 << 30;

    /**
     * Warms a subject up.
     *
     * @return the load with enough calls for a run
     */
    Load warm(Subject subject, Load load) throws IOException, InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        Load next = load.withCalls(Math.max(FIRST_CALLS, 2 * load.inFlight()));
        int quiet = 0;
        while (quiet < QUIET_RUNS && System.nanoTime() < end) {
            Measured measured = subject.measure(next);
            quiet = isLongEnough(measured) && isQuiet(measured) ? quiet + 1 : 0;
            next = next.withCalls(callsInRun(measured));
        }
        if (quiet < QUIET_RUNS) {
            System.err.println(
                    subject.name() + ", " + load + ": the compiler is still at work after " + limit.toSeconds() + " s");
        }
        return next;
    }

    private boolean isLongEnough(Measured measured) {
        return 2 * measured.outcome().nanos() >= run.toNanos();
    }

    private static boolean isQuiet(Measured measured) {
        return 1e6 * measured.usage().compileMillis()
                <= QUIET * measured.outcome().nanos();
    }

    private int callsInRun(Measured measured) {
        double longer = (double) run.toNanos() / (double) measured.outcome().nanos();
        double growth = Math.min(MOST_GROWTH, longer);
        Load load = measured.load();
        return (int) Math.max(2.0 * load.inFlight(), Math.min(growth * load.calls(), MOST_CALLS));
    }
}
