// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.time.Duration;
import org.emplace.reactor.EventLoop;
import org.emplace.reactor.Timers;
import org.jspecify.annotations.Nullable;

/**
 * Probes a connection's peer when nothing has arrived from it for half of the keep-alive time. On iWARP the peer's device acknowledges to TCP alone, so a
 * probe completes as soon as it is sent; if the peer has vanished, TCP ends the connection once it gives up retransmitting. Used on the loop.
 */
final class IdleProbe {
    private static final Duration LONGEST = Duration.ofHours(1);

    private final EventLoop loop;
    private final Duration interval;
    private final Runnable probe;
    private boolean alive;
    private boolean probed;
    private boolean stopped;
    private Timers.@Nullable Timer timer;

    /**
     * Creates a probe that has not started.
     *
     * @param keepAlive the time within which an idle peer is probed; it is probed at least once an hour
     * @param probe sends the probe; the caller invokes {@link #peerIsAlive} if it completes with success
     */
    IdleProbe(EventLoop loop, Duration keepAlive, Runnable probe) {
        this.loop = loop;
        Duration half = keepAlive.dividedBy(2);
        this.interval = half.compareTo(LONGEST) > 0 ? LONGEST : half;
        this.probe = probe;
    }

    void start() {
        timer = loop.schedule(interval, this::check);
    }

    /** Records that the peer is alive: it has sent or acknowledged something. The first call starts the probe. */
    void peerIsAlive() {
        alive = true;
        probed = false;
        if (timer == null && !stopped) {
            start();
        }
    }

    void stop() {
        stopped = true;
        if (timer != null) {
            timer.cancel();
        }
    }

    private void check() {
        start();
        if (!alive && !probed) {
            probed = true;
            probe.run();
        }
        alive = false;
    }
}
