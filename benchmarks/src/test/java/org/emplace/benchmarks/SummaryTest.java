// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.emplace.benchmarks.load.Latency;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.load.Load.Operation;
import org.emplace.benchmarks.load.Outcome;
import org.emplace.benchmarks.load.Usage;
import org.emplace.benchmarks.process.Measured;
import org.junit.jupiter.api.Test;

class SummaryTest {
    private static final Load ONE_AT_A_TIME = new Load(Operation.NULL, 0, 1, 100);
    private static final Load MANY = new Load(Operation.NULL, 0, 32, 100);

    private final Results results = new Results();

    @Test
    void fasterIsMoreWhateverTheUnit() {
        add(ONE_AT_A_TIME, "ours", 10_000);
        add(ONE_AT_A_TIME, "usual", 40_000);
        add(ONE_AT_A_TIME, "plain", 5_000);
        add(MANY, "ours", 10_000);
        add(MANY, "usual", 40_000);
        add(MANY, "plain", 5_000);

        String table = new Summary(results, "ours", "usual", "plain").table().toString();

        assertThat(table.lines().skip(2))
                .allSatisfy(row -> assertThat(row).contains("4.00 (4.00–4.00)").contains("0.50 (0.50–0.50)"))
                .hasSize(2);
    }

    @Test
    void whatWasNotMeasuredOfAllIsLeftOut() {
        add(MANY, "ours", 10_000);
        add(MANY, "plain", 10_000);

        assertThat(new Summary(results, "ours", "usual", "plain")
                        .table()
                        .toString()
                        .lines())
                .hasSize(2);
    }

    private void add(Load load, String subject, long nanosACall) {
        Outcome outcome = new Outcome(
                nanosACall * load.calls(), new Latency(nanosACall, nanosACall, nanosACall, nanosACall), Usage.NOTHING);
        results.add(load, subject, new Measured(load, outcome, Usage.NOTHING));
    }
}
