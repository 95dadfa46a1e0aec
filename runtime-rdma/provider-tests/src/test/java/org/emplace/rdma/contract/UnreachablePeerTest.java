// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What the verbs provider does when the network to an idle peer fails and nobody is told; run by tests/interop/verbs-native on siw0, whose
 * connections with itself use the guest's loopback.
 */
@Tag("lab")
@Tag("faults")
final class UnreachablePeerTest {
    @Test
    void aPeerThatIsNotReachedAnyMoreEndsItsIdleConnection() throws Exception {
        try (Pair pair = Pair.connected()) {
            pair.greet();
            loopback("down");
            try {
                Awaitility.await()
                        .atMost(Duration.ofMinutes(2))
                        .until(() -> pair.initiator.handler.hasEnded() && pair.responder.handler.hasEnded());
            } finally {
                loopback("up");
            }
            pair.another().greet();
        }
    }

    /** An idle connection outlives several keep-alive times. */
    @Test
    void aPeerThatIsReachedKeepsItsIdleConnection() throws Exception {
        try (Pair pair = Pair.connected()) {
            pair.greet();
            Thread.sleep(Side.KEEP_ALIVE.multipliedBy(4).toMillis());
            pair.greet();
        }
    }

    private static void loopback(String state) throws Exception {
        assertThat(new ProcessBuilder("ip", "link", "set", "lo", state)
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }
}
