// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.time.Duration;

/**
 * How a {@linkplain org.emplace.Rpc#client client} gets another connection after the loss of one. The first attempt is made at once if calls were
 * answered over the lost connection. The delay before each further attempt is twice that of the one before, less up to half of it at random, so that
 * the clients of a restarted server do not all connect at the same time.
 *
 * @param firstDelay before the second attempt; positive
 * @param longestDelay that the delays do not exceed; no shorter than the first
 * @param observer is told what happens to connections and calls
 */
public record RecoveryOptions(Duration firstDelay, Duration longestDelay, RecoveryObserver observer) {

    /** A tenth of a second at first, ten seconds at most; nobody observes. */
    public static final RecoveryOptions DEFAULT =
            new RecoveryOptions(Duration.ofMillis(100), Duration.ofSeconds(10), RecoveryObserver.NONE);

    /** Checks the values. */
    public RecoveryOptions {
        if (firstDelay.isNegative() || firstDelay.isZero() || longestDelay.compareTo(firstDelay) < 0) {
            throw new IllegalArgumentException(
                    "recovery options out of range: first delay " + firstDelay + ", longest delay " + longestDelay);
        }
    }

    /** These options with other delays. */
    public RecoveryOptions withDelays(Duration first, Duration longest) {
        return new RecoveryOptions(first, longest, observer);
    }

    /** These options with an observer. */
    public RecoveryOptions withObserver(RecoveryObserver observer) {
        return new RecoveryOptions(firstDelay, longestDelay, observer);
    }
}
