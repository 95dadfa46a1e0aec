// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.process.Subject;
import picocli.CommandLine.Option;

/** Measures a scenario in rounds. Under each load all subjects are warmed up first; then each round runs every subject once. */
final class Rounds {
    private static final int QUICK_ROUNDS = 3;
    private static final Duration QUICK_RUN = Duration.ofMillis(200);
    private static final Duration QUICK_LIMIT = Duration.ofSeconds(6);

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "7",
            description = "Measured runs of each subject under each load (${DEFAULT-VALUE}).")
    private int number;

    @Option(
            names = "--run",
            paramLabel = "MILLISECONDS",
            defaultValue = "400",
            description = "Approximate duration of a run (${DEFAULT-VALUE}).")
    private long runMillis;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "15",
            description =
                    "Longest warm-up of each subject under each load. The measurement begins when the JVM's compilers"
                            + " are almost idle (${DEFAULT-VALUE}).")
    private int warmUpSeconds;

    @Option(
            names = "--quick",
            description =
                    "For a first impression: 3 rounds of 200 ms after a warm-up of at most 6 s. Overrides the other options.")
    private boolean quick;

    @Option(
            names = "--loads",
            paramLabel = "REGEX",
            defaultValue = ".*",
            description =
                    "Measures only loads whose names contain a match of this regular expression, such as '^NULL' or '1 MiB'.")
    private Pattern loadNames = Pattern.compile("");

    @Option(
            names = "--subjects",
            paramLabel = "REGEX",
            defaultValue = ".*",
            description =
                    "Measures only subjects whose names contain a match, such as 'with CRC|gRPC'. Omits comparisons with others.")
    private Pattern subjectNames = Pattern.compile("");

    @Option(
            names = "--java",
            paramLabel = "OPTION",
            description = "An option for the JVMs of servers and clients. Can be repeated.")
    private List<String> javaOptions = new ArrayList<>();

    /** The options for a subject's JVM. The user's options come last, so that they take precedence. */
    List<String> javaOptions(String... own) {
        List<String> all = new ArrayList<>(List.of(own));
        all.addAll(javaOptions);
        return all;
    }

    /** Whether the subject of this name is to be measured. */
    boolean include(String subject) {
        return subjectNames.matcher(subject).find();
    }

    /** The number of rounds. */
    int number() {
        return quick ? QUICK_ROUNDS : number;
    }

    private WarmUp warmUp() {
        return quick
                ? new WarmUp(QUICK_RUN, QUICK_LIMIT)
                : new WarmUp(Duration.ofMillis(runMillis), Duration.ofSeconds(warmUpSeconds));
    }

    /** Runs all subjects under all loads that they take, in turns, so that other activity of the machine affects all alike. */
    void measure(List<Load> loads, List<? extends Subject> subjects, Results results)
            throws IOException, InterruptedException {
        for (Load load : loads) {
            if (!loadNames.matcher(load.toString()).find()) {
                continue;
            }
            Map<Subject, Load> ready = new LinkedHashMap<>();
            for (Subject subject : subjects) {
                if (include(subject.name()) && subject.takes(load)) {
                    succeeds(subject, load, () -> ready.put(subject, warm(subject, load)));
                }
            }
            for (int round = 0; round < number(); round++) {
                for (Subject subject : List.copyOf(ready.keySet())) {
                    Load full = ready.getOrDefault(subject, load);
                    if (!succeeds(subject, load, () -> results.add(load, subject.name(), subject.measure(full)))) {
                        ready.remove(subject);
                        results.remove(load, subject.name());
                    }
                }
            }
            System.err.println("measured " + load);
        }
    }

    /** Warms a subject up. Returns the load with the number of calls that a run needs, which only the warm-up finds out. */
    private Load warm(Subject subject, Load load) throws IOException, InterruptedException {
        if (subject.warmsUp()) {
            return warmUp().warm(subject, load);
        }
        subject.measure(load);
        return load;
    }

    private interface Measurement {
        void run() throws IOException, InterruptedException;
    }

    /** Runs a measurement. If it fails, prints the subject and the load, and the tables omit that value only. */
    private static boolean succeeds(Subject subject, Load load, Measurement measurement) throws InterruptedException {
        try {
            measurement.run();
            return true;
        } catch (IOException failure) {
            System.err.println(subject.name() + " is omitted from " + load + ": " + failure.getMessage());
            return false;
        }
    }
}
