// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.time.Duration;
import org.emplace.rdma.verbs.event.CompletionLoop;
import org.emplace.reactor.Timers;
import org.jspecify.annotations.Nullable;

/** Has a connection ask whether its peer is still there, once nothing has been heard of it for half of a time. Used on the loop. */
final class IdleProbe {
    private static final Duration LONGEST = Duration.ofHours(1);

    private final CompletionLoop loop;
    private final Duration interval;
    private final Runnable ask;
    private boolean heard;
    private boolean asked;
    private Timers.@Nullable Timer timer;

    /**
     * One that has not started.
     *
     * @param keepAlive within which an idle peer is asked, or an hour
     * @param ask ends in a completion, which {@link #heard} is told of if it is a success
     */
    IdleProbe(CompletionLoop loop, Duration keepAlive, Runnable ask) {
        this.loop = loop;
        this.interval = keepAlive.compareTo(LONGEST) > 0 ? LONGEST : keepAlive.dividedBy(2);
        this.ask = ask;
    }

    void start() {
        timer = loop.schedule(interval, this::look);
    }

    /** The peer was there: it has sent something, or acknowledged something. */
    void heard() {
        heard = true;
        asked = false;
    }

    void stop() {
        if (timer != null) {
            timer.cancel();
        }
    }

    private void look() {
        start();
        if (!heard && !asked) {
            asked = true;
            ask.run();
        }
        heard = false;
    }
}
