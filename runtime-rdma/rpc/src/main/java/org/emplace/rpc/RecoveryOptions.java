// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.time.Duration;

/**
 * How a {@linkplain org.emplace.Rpc#client client} reconnects after the loss of a connection. If calls were answered
 * over the lost connection, the first attempt is made at once. The delay before further attempts doubles each time.
 * Each delay is shortened by a random part, at most half of it, so that the clients of a restarted server do not all
 * connect at the same time.
 *
 * @param firstDelay the delay before the second attempt; positive
 * @param longestDelay the longest delay; not shorter than the first
 * @param observer observes the recovery
 */
public record RecoveryOptions(Duration firstDelay, Duration longestDelay, RecoveryObserver observer) {

    /** A first delay of 100 ms, a longest delay of ten seconds, and no observer. */
    public static final RecoveryOptions DEFAULT =
            new RecoveryOptions(Duration.ofMillis(100), Duration.ofSeconds(10), RecoveryObserver.NONE);

    /** @throws IllegalArgumentException if a delay is out of range */
    public RecoveryOptions {
        if (firstDelay.isNegative() || firstDelay.isZero() || longestDelay.compareTo(firstDelay) < 0) {
            throw new IllegalArgumentException(
                    "recovery options out of range: first delay " + firstDelay + ", longest delay " + longestDelay);
        }
    }

    /** Returns these options with other delays. */
    public RecoveryOptions withDelays(Duration first, Duration longest) {
        return new RecoveryOptions(first, longest, observer);
    }

    /** Returns these options with another observer. */
    public RecoveryOptions withObserver(RecoveryObserver observer) {
        return new RecoveryOptions(firstDelay, longestDelay, observer);
    }
}
