// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.emplace.rdma.verbs.event.CompletionHandler.Spinner;
import org.junit.jupiter.api.Test;

/** When completion queues are polled, and when the loop may sleep. */
class SpinnerTest {
    private long now;
    private final Spinner spinner = new Spinner(Duration.ofNanos(40_000), () -> now);

    @Test
    void aSilentQueueIsArmedAndLookedAtOnceMore() {
        Spinner spinner = new Spinner(Duration.ZERO);
        Queue queue = new Queue(0);
        spinner.activate(queue);
        spinner.turn();
        assertThat(queue.calls).isEqualTo("poll arm poll ");
        assertThat(spinner.isActive()).isFalse();
    }

    @Test
    void whatComesBetweenTheLastPollAndTheArmingIsTaken() {
        Spinner spinner = new Spinner(Duration.ZERO);
        Queue queue = new Queue(0) {
            @Override
            public void arm() {
                super.arm();
                left = 1;
            }
        };
        spinner.activate(queue);
        spinner.turn();
        assertThat(queue.left).isZero();
        assertThat(spinner.isActive()).isTrue();
    }

    @Test
    void aQueueThatHasSomethingStaysActive() {
        Spinner spinner = new Spinner(Duration.ZERO);
        Queue queue = new Queue(2);
        spinner.activate(queue);
        spinner.turn();
        spinner.turn();
        assertThat(queue.calls).isEqualTo("poll poll ");
        assertThat(spinner.isActive()).isTrue();
    }

    @Test
    void busyPollingNeverArms() {
        Spinner spinner = new Spinner(CompletionHandler.BUSY);
        Queue queue = new Queue(0);
        spinner.activate(queue);
        for (int turn = 0; turn < 3; turn++) {
            spinner.turn();
        }
        assertThat(queue.calls).isEqualTo("poll poll poll ");
    }

    @Test
    void aQueueThatIsForgottenIsNotTouchedAnyMore() {
        Spinner spinner = new Spinner(CompletionHandler.BUSY);
        Queue queue = new Queue(0);
        spinner.activate(queue);
        spinner.forget(queue);
        spinner.turn();
        assertThat(queue.calls).isEmpty();
        assertThat(spinner.isActive()).isFalse();
    }

    @Test
    void completionsThatComeLateHalveTheSpinEachTimeUntilItIsShortest() {
        assertThat(spin()).isEqualTo(40);
        now += 1_000_000;
        assertThat(spin()).isEqualTo(20);
        for (int later = 0; later < 10; later++) {
            now += 1_000_000;
            spin();
        }
        now += 1_000_000;
        assertThat(spin()).isEqualTo(1);
    }

    @Test
    void completionsThatComeSoonDoubleTheSpinEachTimeUntilItIsLongest() {
        for (int later = 0; later < 10; later++) {
            now += 1_000_000;
            spin();
        }
        List<Integer> spins = new ArrayList<>();
        for (int soon = 0; soon < 6; soon++) {
            now += 5_000;
            spins.add(spin());
        }
        assertThat(spins).containsExactly(2, 4, 8, 16, 32, 40);
    }

    /** Activates a queue without completions. Returns for how many microseconds it is polled. */
    private int spin() {
        spinner.activate(new Queue(0));
        long begin = now;
        for (spinner.turn(); spinner.isActive(); spinner.turn()) {
            now += 1_000;
        }
        return (int) ((now - begin) / 1_000);
    }

    /** A queue with a number of completions; records the calls. */
    private static class Queue implements CompletionHandler.Source {
        int left;
        String calls = "";

        Queue(int completions) {
            left = completions;
        }

        @Override
        public boolean poll() {
            calls += "poll ";
            boolean had = left > 0;
            left = Math.max(0, left - 1);
            return had;
        }

        @Override
        public void arm() {
            calls += "arm ";
        }
    }
}
