// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.process;

import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.load.Outcome;
import org.emplace.benchmarks.load.Usage;

/**
 * The measurements of one run.
 *
 * @param server the usage of the server's process; {@link Usage#NOTHING} if unknown
 */
public record Measured(Load load, Outcome outcome, Usage server) {

    /** The result in the load's unit: the median duration of calls made one at a time, else the work per second. */
    public double value() {
        double seconds = outcome.nanos() / 1e9;
        return switch (load.unit()) {
            case MICROSECONDS -> outcome.latency().median() / 1e3;
            case CALLS -> load.calls() / seconds;
            case MEBIBYTES -> load.calls() * (double) load.size() / (1 << 20) / seconds;
        };
    }

    /** Bytes that both processes allocate per call. */
    public double allocatedPerCall() {
        return usage().allocated() / (double) load.calls();
    }

    /** Processor time of both processes per call, in microseconds. */
    public double cpuPerCall() {
        return usage().cpuNanos() / 1e3 / load.calls();
    }

    /** Context switches of both processes per call. */
    public double threadChangesPerCall() {
        return usage().threadChanges() / (double) load.calls();
    }

    /** The usage of both processes. */
    public Usage usage() {
        return outcome.usage().plus(server);
    }
}
