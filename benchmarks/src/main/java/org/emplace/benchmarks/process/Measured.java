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

    /** Microseconds a call where calls were made one at a time (their median), else MiB a second. */
    public double value() {
        if (load.isOneAtATime()) {
            return outcome.medianNanos() / 1e3;
        }
        return load.calls() * (double) load.size() / (1 << 20) / (outcome.nanos() / 1e9);
    }

    /** Bytes that both processes allocated for a call. */
    public double allocatedPerCall() {
        return (outcome.usage().allocated() + server.allocated()) / (double) load.calls();
    }

    /** Processor time of both processes for a call, in microseconds. */
    public double cpuPerCall() {
        return (outcome.usage().cpuNanos() + server.cpuNanos()) / 1e3 / load.calls();
    }

    /** How often a thread of both processes went to sleep or was put off for a call. */
    public double threadChangesPerCall() {
        return (outcome.usage().threadChanges() + server.threadChanges()) / (double) load.calls();
    }
}
