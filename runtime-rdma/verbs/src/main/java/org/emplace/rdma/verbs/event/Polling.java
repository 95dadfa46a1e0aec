// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.event;

import java.time.Duration;

/**
 * When a completion queue is looked at without being told to.
 *
 * @param busy whether all of them are polled all the time, which costs a processor and saves every interrupt
 * @param spin otherwise, how long after a completion to go on polling the queue that it came from, before an event is asked for. What
 *     spinning did not help with is spun for less
 */
public record Polling(boolean busy, Duration spin) {

    /** By event, after at most so long a spin. */
    public static Polling byEvent(Duration spin) {
        return new Polling(false, spin);
    }

    /** Without pause. */
    public static Polling busily() {
        return new Polling(true, Duration.ZERO);
    }
}
