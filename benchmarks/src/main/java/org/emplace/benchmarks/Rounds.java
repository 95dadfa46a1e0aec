// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.process.Subject;
import picocli.CommandLine.Option;

/** How a scenario is measured: under each load first all subjects are warmed up, then each round gives every subject a run. */
final class Rounds {
    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "7",
            description = "Measured runs of each subject under each load (${DEFAULT-VALUE}).")
    private int runs;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "8",
            description = "How long each subject runs under each load before it is measured (${DEFAULT-VALUE}).")
    private int warmUpSeconds;

    @Option(
            names = "--calls",
            paramLabel = "PERCENT",
            defaultValue = "100",
            description = "Calls in a run, in percent of what the scenario has of each kind (${DEFAULT-VALUE}).")
    private int percent;

    @Option(
            names = "--java",
            paramLabel = "OPTION",
            description = "An option for the JVMs of servers and clients; may be repeated.")
    private List<String> javaOptions = new ArrayList<>();

    /** The options for the JVM of a subject; the user's come last, so that they count. */
    List<String> javaOptions(String... own) {
        List<String> all = new ArrayList<>(List.of(own));
        all.addAll(javaOptions);
        return all;
    }

    /** Puts all subjects under all loads that they take, in turns, so that what disturbs the machine disturbs all alike. */
    void measure(List<Load> loads, List<? extends Subject> subjects, Results results)
            throws IOException, InterruptedException {
        for (Load whole : loads) {
            Load load = whole.withCalls(Math.max(whole.inFlight(), whole.calls() * percent / 100));
            List<Subject> taking = new ArrayList<>();
            for (Subject subject : subjects) {
                if (subject.takes(load) && succeeds(subject, load, () -> warmUp(subject, load))) {
                    taking.add(subject);
                }
            }
            for (int run = 0; run < runs; run++) {
                for (Subject subject : List.copyOf(taking)) {
                    if (!succeeds(subject, load, () -> results.add(load, subject.name(), subject.measure(load)))) {
                        taking.remove(subject);
                        results.remove(load, subject.name());
                    }
                }
            }
            System.err.println("measured " + load);
        }
    }

    private interface Measurement {
        void run() throws IOException, InterruptedException;
    }

    /** Says which subject fails under which load; the tables leave it out there, and have all the others. */
    private static boolean succeeds(Subject subject, Load load, Measurement measurement) throws InterruptedException {
        try {
            measurement.run();
            return true;
        } catch (IOException failure) {
            System.err.println(subject.name() + " is left out of " + load + ": " + failure.getMessage());
            return false;
        }
    }

    /** Once, and where there is Java code until the JVM has compiled what matters. */
    private void warmUp(Subject subject, Load load) throws IOException, InterruptedException {
        Duration least = subject.warmsUp() ? Duration.ofSeconds(warmUpSeconds) : Duration.ZERO;
        long end = System.nanoTime() + least.toNanos();
        do {
            subject.measure(load);
        } while (System.nanoTime() < end);
    }
}
