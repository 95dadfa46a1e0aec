// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.reactor.Interleavings.require;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LeadTest {

    /** A loop whose thread leaves the lead and takes it back, and its callers. */
    private static final class Loop {
        private final Lead lead = new Lead(Lead.SHORTEST_NAP);
        private final AtomicInteger leaders = new AtomicInteger();
        private final AtomicBoolean wanted = new AtomicBoolean();

        void leave() {
            lead.threadStarted();
            lead.leaveToCallers(wanted::get);
            led();
        }

        void call() {
            if (lead.tryLead(() -> false)) {
                led();
                lead.stopLeading(false);
            }
        }

        void want() {
            wanted.set(true);
            lead.wakeIfVacant();
        }

        private void led() {
            require(leaders.incrementAndGet() == 1, "two threads lead");
            leaders.decrementAndGet();
        }
    }

    @Test
    void oneThreadLeadsAtATime() {
        Interleavings.explore(1000, () -> {
            Loop loop = new Loop();
            Interleavings.race(
                    loop::leave,
                    () -> {
                        loop.call();
                        loop.want();
                    },
                    loop::call);
        });
    }

    /** Otherwise that caller, which blocks, would be served only after a nap. */
    @Test
    @Timeout(60)
    void theLoopsThreadKeepsTheLeadIfACallerHasJustSeenItLead() {
        Lead lead = new Lead(Duration.ofHours(1));
        lead.threadStarted();
        assertThat(lead.tryLead(() -> false)).isFalse();
        lead.leaveToCallers(() -> false);
        assertThat(lead.tryLead(() -> false)).isFalse();
    }
}
