// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.emplace.rpcrdma.simulation.Schedule;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Client and server with a simulated provider, clock and threads. {@code -Dsimulation.schedules=100000} sets the number
 * of worlds, {@code -Dsimulation.seed=N} the first seed.
 */
@Timeout(7200)
final class SimulationTest {
    private static final long FIRST = Long.getLong("simulation.seed", 1);
    private static final long SCHEDULES = Long.getLong("simulation.schedules", 500);
    private static final Logger LOG = Logger.getLogger("org.emplace");

    /** Disables the log of broken connections, which are normal here. */
    @BeforeAll
    static void beQuiet() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void speakAgain() {
        LOG.setLevel(null);
    }

    @Test
    void everyCallEndsOnceWithAtMostOneEffectWhateverHappensToItsConnections() throws Exception {
        for (long seed = FIRST; seed < FIRST + SCHEDULES; seed++) {
            Schedule schedule = new SimulatedWorld(seed).run();
            assertThat(schedule.violations())
                    .as("in the world of -Dsimulation.seed=%d -Dsimulation.schedules=1:%n%s", seed, schedule.notes())
                    .isEmpty();
        }
    }

    @Test
    void aSeedDeterminesAllEvents() throws Exception {
        for (long seed = FIRST; seed < FIRST + 20; seed++) {
            assertThat(new SimulatedWorld(seed).run().digest())
                    .as("seed %d", seed)
                    .isEqualTo(new SimulatedWorld(seed).run().digest());
        }
    }
}
