// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class TimersTest {
    private static final int LONGEST = 60_000;

    private final Timers timers = new Timers();
    private final List<String> done = new ArrayList<>();

    @Test
    void whatIsDueRunsInTheOrderOfItsTimeAndOnce() {
        timers.schedule(Duration.ofHours(-1), () -> done.add("second"));
        timers.schedule(Duration.ofHours(-2), () -> done.add("first"));
        timers.schedule(Duration.ofHours(1), () -> done.add("in an hour"));
        timers.fire(Runnable::run);
        timers.fire(Runnable::run);
        assertThat(done).containsExactly("first", "second");
    }

    @Test
    void aCancelledTimerDoesNotRun() {
        timers.schedule(Duration.ZERO, () -> done.add("cancelled")).cancel();
        timers.fire(Runnable::run);
        assertThat(done).isEmpty();
    }

    @Test
    void cancelledTimersDoNotPileUp() {
        timers.schedule(Duration.ofHours(1), () -> done.add("in an hour"));
        for (int i = 0; i < 10_000; i++) {
            timers.schedule(Duration.ofMinutes(1), () -> done.add("cancelled")).cancel();
            assertThat(timers.size()).isLessThanOrEqualTo(4);
        }
        assertThat(timers.isEmpty()).isFalse();
    }

    @Test
    void thereAreNoneWhereAllHaveFiredOrAreCancelled() {
        Timers.Timer fired = timers.schedule(Duration.ofMillis(-2), () -> {});
        Timers.Timer cancelled = timers.schedule(Duration.ofMillis(-1), () -> {});
        timers.schedule(Duration.ofHours(1), () -> {}).cancel();
        cancelled.cancel();
        timers.fire(Runnable::run);
        fired.cancel();
        cancelled.cancel();
        assertThat(timers.isEmpty()).isTrue();
        timers.schedule(Duration.ofHours(1), () -> {});
        assertThat(timers.isEmpty()).isFalse();
    }

    @Test
    void aTimerMayBeScheduledByAnother() {
        timers.schedule(
                Duration.ofMillis(-1), () -> timers.schedule(Duration.ofMillis(-1), () -> done.add("by another")));
        timers.fire(Runnable::run);
        assertThat(done).containsExactly("by another");
    }

    @Test
    void theOneThatIsDueFirstIsNext() {
        Timers.Timer later = timers.schedule(Duration.ofHours(2), () -> {});
        assertThat(timers.isNext(later)).isTrue();
        Timers.Timer sooner = timers.schedule(Duration.ofHours(1), () -> {});
        assertThat(timers.isNext(sooner)).isTrue();
        assertThat(timers.isNext(later)).isFalse();
    }

    @Test
    void oneSleepsUntilTheNextIsDueButNotLongerThanAsked() {
        assertThat(timers.millisToNext(LONGEST)).isEqualTo(LONGEST);
        timers.schedule(Duration.ofHours(1), () -> {});
        assertThat(timers.millisToNext(LONGEST)).isEqualTo(LONGEST);
        timers.schedule(Duration.ofSeconds(30), () -> {});
        assertThat(timers.millisToNext(LONGEST)).isPositive().isLessThan(LONGEST);
        timers.schedule(Duration.ZERO, () -> {});
        assertThat(timers.millisToNext(LONGEST)).isZero();
    }

    @Test
    void aSleeperNeedsNotKnowWhatIsDueAfterItWakes() {
        Timers.Timer first = timers.schedule(Duration.ofSeconds(10), () -> {});
        timers.millisToNext(LONGEST);
        first.cancel();
        assertThat(timers.isNext(timers.schedule(Duration.ofSeconds(30), () -> {})))
                .isFalse();
        assertThat(timers.isNext(timers.schedule(Duration.ofSeconds(1), () -> {})))
                .isTrue();
    }

    /** Uses delays on every level that a test can wait for, and cancelled timers between them. */
    @Test
    void eachFiresOnceWhenItsDelayIsOverAndNotBefore() throws InterruptedException {
        Random random = new Random(17);
        int[] fired = new int[2_000];
        for (int i = 0; i < fired.length; i++) {
            int number = i;
            long delay = random.nextInt(6) == 0 ? random.nextInt(5_000) : random.nextInt(300);
            long due = System.nanoTime() + Duration.ofMillis(delay).toNanos();
            Timers.Timer timer = timers.schedule(Duration.ofMillis(delay), () -> {
                assertThat(System.nanoTime() - due).isNotNegative();
                fired[number]++;
            });
            if (i % 3 == 0) {
                timer.cancel();
            }
        }
        timers.schedule(Duration.ofDays(2_000), () -> done.add("in years"));
        while (timers.size() > 1) {
            Thread.sleep(timers.millisToNext(LONGEST));
            timers.fire(Runnable::run);
        }
        for (int i = 0; i < fired.length; i++) {
            assertThat(fired[i]).isEqualTo(i % 3 == 0 ? 0 : 1);
        }
        assertThat(done).isEmpty();
    }
}
