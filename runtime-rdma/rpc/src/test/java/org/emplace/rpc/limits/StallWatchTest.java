// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.emplace.reactor.ManualClock;
import org.junit.jupiter.api.Test;

final class StallWatchTest {
    private static final Duration PERIOD = Duration.ofSeconds(60);
    private static final long LEAST = 1000;

    private final ManualClock clock = new ManualClock();
    private long waiting;
    private long progress;
    private int stalls;
    private Runnable whenAsked = () -> {};
    private final StallWatch watch =
            new StallWatch(clock, PERIOD, LEAST, this::waiting, () -> progress, () -> stalls++);

    private long waiting() {
        long left = waiting;
        whenAsked.run();
        return left;
    }

    @Test
    void aByteNowAndThenCountsAsAStall() {
        waiting = 5000;
        watch.watch();
        taken(1000);
        assertThat(stalls).isZero();
        taken(999);
        assertThat(stalls).isEqualTo(1);
        assertThat(clock.scheduled()).isZero();
    }

    @Test
    void aPeerForWhichMuchWaitsMustReceiveAThirtiethOfIt() {
        waiting = 300_000;
        watch.watch();
        taken(10_000);
        assertThat(stalls).isZero();
        taken(290_000 / 30 - 1);
        assertThat(stalls).isEqualTo(1);
    }

    @Test
    void aPeerThatReceivesAllThatWaitedIsNotStalled() {
        waiting = 10;
        watch.watch();
        waiting = 30;
        taken(10);
        assertThat(stalls).isZero();
        taken(19);
        assertThat(stalls).isEqualTo(1);
    }

    @Test
    void aPeerThatReceivesAllDataIsNoLongerWatched() {
        waiting = 1;
        watch.watch();
        watch.watch();
        assertThat(clock.scheduled()).isEqualTo(1);
        taken(1);
        assertThat(stalls).isZero();
        assertThat(clock.scheduled()).isZero();
        waiting = 1;
        watch.watch();
        assertThat(clock.scheduled()).isEqualTo(1);
    }

    @Test
    void dataThatArrivesWhileTheWatchEndsIsWatched() {
        waiting = 1;
        watch.watch();
        whenAsked = () -> {
            whenAsked = () -> {};
            waiting = 1;
            watch.watch();
        };
        taken(1);
        assertThat(clock.scheduled()).isEqualTo(1);
    }

    @Test
    void anEndedWatchHasNoTimer() {
        waiting = 1;
        watch.watch();
        watch.stop();
        assertThat(clock.scheduled()).isZero();
        watch.watch();
        assertThat(clock.scheduled()).isZero();
    }

    private void taken(long bytes) {
        waiting -= bytes;
        progress += bytes;
        clock.pass(PERIOD.minusNanos(1));
        assertThat(clock.scheduled()).isEqualTo(1);
        clock.pass(Duration.ofNanos(1));
    }
}
