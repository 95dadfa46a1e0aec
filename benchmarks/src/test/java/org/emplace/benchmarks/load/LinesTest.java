// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.emplace.benchmarks.load.Load.Operation;
import org.junit.jupiter.api.Test;

/** The lines that programs exchange. */
class LinesTest {

    @Test
    void aLoadIsTheSameAfterItsLine() {
        Load load = new Load(Operation.READ, 4096, 8, 100);

        assertThat(Load.parse(load.toLine())).isEqualTo(load);
    }

    @Test
    void anOutcomeIsTheSameAfterItsLine() {
        Outcome outcome = new Outcome(1_000_000, new Latency(10, 20, 30, 40), new Usage(1, 2, 3, 4));

        assertThat(Outcome.parse(outcome.toLine())).isEqualTo(outcome);
    }

    @Test
    void aFootprintIsTheSameAfterItsLineAlsoWhereItIsLess() {
        Footprint less = new Footprint(100, 200).minus(new Footprint(300, 50));

        assertThat(Footprint.parse(less.toLine())).isEqualTo(new Footprint(-200, 150));
    }

    @Test
    void payloadsRotateOverAllOfTheMemory() {
        Load load = new Load(Operation.READ, 1 << 20, 8, 100);

        assertThat(load.offset(0)).isZero();
        assertThat(load.offset(63)).isEqualTo(Load.MEMORY - (1 << 20));
        assertThat(load.offset(64)).isZero();
    }

    @Test
    void percentilesAreThoseOfTheCalls() {
        Histogram nanos = new Histogram(5);
        for (int i = 1; i <= 1000; i++) {
            nanos.recordValue(i);
        }

        assertThat(Latency.of(nanos)).isEqualTo(new Latency(500, 990, 999, 1000));
    }
}
