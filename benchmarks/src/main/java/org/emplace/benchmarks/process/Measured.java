// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.process;

import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.load.Outcome;
import org.emplace.benchmarks.load.Usage;

/**
 * One run's numbers.
 *
 * @param server what the server's process used; nothing where that is not known
 */
public record Measured(Load load, Outcome outcome, Usage server) {

    /** In the unit of the load: the median of what calls took that were made one at a time, else how much was done in a second. */
    public double value() {
        double seconds = outcome.nanos() / 1e9;
        return switch (load.unit()) {
            case MICROSECONDS -> outcome.latency().median() / 1e3;
            case CALLS -> load.calls() / seconds;
            case MEBIBYTES -> load.calls() * (double) load.size() / (1 << 20) / seconds;
        };
    }

    /** Bytes that both processes allocated for a call. */
    public double allocatedPerCall() {
        return usage().allocated() / (double) load.calls();
    }

    /** Processor time of both processes for a call, in microseconds. */
    public double cpuPerCall() {
        return usage().cpuNanos() / 1e3 / load.calls();
    }

    /** How often a thread of both processes went to sleep or was put off for a call. */
    public double threadChangesPerCall() {
        return usage().threadChanges() / (double) load.calls();
    }

    /** What both processes have used. */
    public Usage usage() {
        return outcome.usage().plus(server);
    }
}
