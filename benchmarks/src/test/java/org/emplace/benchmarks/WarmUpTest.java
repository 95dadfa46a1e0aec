// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.emplace.benchmarks.load.Latency;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.load.Load.Operation;
import org.emplace.benchmarks.load.Outcome;
import org.emplace.benchmarks.load.Usage;
import org.emplace.benchmarks.process.Measured;
import org.emplace.benchmarks.process.Subject;
import org.junit.jupiter.api.Test;

class WarmUpTest {
    private static final Load LOAD = new Load(Operation.NULL, 0, 1, 1);
    private static final long NANOS_A_CALL = 10_000;

    /** Takes 10 µs per call, and simulates the given compiler times. */
    private static final class Compiling implements Subject {
        private final Deque<Long> compileMillis;

        Compiling(List<Long> compileMillis) {
            this.compileMillis = new ArrayDeque<>(compileMillis);
        }

        @Override
        public String name() {
            return "compiling";
        }

        @Override
        public boolean takes(Load load) {
            return true;
        }

        @Override
        public boolean warmsUp() {
            return true;
        }

        @Override
        public Measured measure(Load load) throws IOException {
            if (compileMillis.isEmpty()) {
                throw new IOException("measured once too often");
            }
            Usage usage = new Usage(0, 0, 0, compileMillis.remove());
            return new Measured(load, new Outcome(NANOS_A_CALL * load.calls(), Latency.UNKNOWN, usage), Usage.NOTHING);
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    private static Load warm(Subject subject) throws IOException, InterruptedException {
        return new WarmUp(Duration.ofMillis(100), Duration.ofSeconds(60)).warm(subject, LOAD);
    }

    @Test
    void endsAfterThreeRunsInWhichTheCompilerWasQuiet() throws Exception {
        // Five short runs, the first with 20 calls and each other with eight times as many; then runs of full length.
        Compiling subject = new Compiling(List.of(0L, 0L, 0L, 0L, 50L, 0L, 2L, 90L, 0L, 1L, 2L));

        warm(subject);

        assertThat(subject.compileMillis).isEmpty();
    }

    @Test
    void findsHowManyCallsFillARun() throws Exception {
        Load full = warm(new Compiling(List.of(0L, 0L, 0L, 0L, 0L, 0L, 0L)));

        assertThat(full.calls()).isEqualTo(10_000);
    }
}
