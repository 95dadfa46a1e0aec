// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.io.IOException;
import java.time.Duration;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.process.Measured;
import org.emplace.benchmarks.process.Subject;

/**
 * Puts a load on a subject until the JVM's compilers have hardly any work left.
 *
 * @param run how long a measured run is to take
 * @param limit when to give up waiting for the compilers
 */
record WarmUp(Duration run, Duration limit) {
    /** Runs in succession in which the compilers have to be quiet. */
    private static final int QUIET_RUNS = 3;
    /** What the compilers of a quiet run may take of its time. */
    private static final double QUIET = 0.02;
    /** How many times longer the next run may be. */
    private static final int MOST_GROWTH = 8;

    private static final int FIRST_CALLS = 20;
    private static final int MOST_CALLS = 1 << 30;

    /**
     * Warms up.
     *
     * @return the load with as many calls as fill a run
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
