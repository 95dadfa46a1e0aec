// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Callable;

/**
 * Compares the rate of a good client's calls beside a bad peer with its rate beside a thread that only uses processor
 * time, which a server does not share out. The two are measured alternately in windows of equal length. The best pair
 * counts, because other programs on the machine disturb some.
 */
public final class OneBadPeer {
    private static final Duration WINDOW = Duration.ofMillis(300);
    private static final int ROUNDS = 12;

    private OneBadPeer() {}

    /**
     * Fails unless the good client keeps half its rate.
     *
     * @param abuse starts the bad peer, which is active until it is closed
     * @param call makes one call of the good client
     */
    public static void leavesHalfTheRate(Callable<? extends AutoCloseable> abuse, Callable<?> call) throws Exception {
        call.call();
        double best = 0;
        for (int round = 0; round < ROUNDS && best < 0.5; round++) {
            double undisturbed;
            try (BusyThread busy = new BusyThread()) {
                undisturbed = calls(call);
                assertThat(busy.isBusy()).isTrue();
            }
            try (AutoCloseable bad = abuse.call()) {
                assertThat(bad).isNotNull();
                best = Math.max(best, calls(call) / undisturbed);
            }
        }
        assertThat(best)
                .as("the good client's rate, relative to that without a bad peer")
                .isGreaterThanOrEqualTo(0.5);
    }

    private static int calls(Callable<?> call) throws Exception {
        int calls = 0;
        long end = System.nanoTime() + WINDOW.toNanos();
        do {
            call.call();
            calls++;
        } while (System.nanoTime() < end);
        return calls;
    }

    /** Uses as much of one processor as it gets. */
    private static final class BusyThread implements AutoCloseable {
        private final Thread thread = new Thread(this::spin, "busy");
        private volatile boolean over;

        BusyThread() {
            thread.start();
        }

        private void spin() {
            while (!over) {
                Thread.onSpinWait();
            }
        }

        boolean isBusy() {
            return thread.isAlive();
        }

        @Override
        public void close() {
            over = true;
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
