// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.emplace.samples.nfs.protocol.Cookieverf3;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Readdir3Args;
import org.emplace.samples.nfs.protocol.Readdir3Res;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client that lists a directory of very many names again and again leaves another, which makes files, at least half of the rate that it has
 * beside a thread that only takes processor time, which is not what a server shares out. The windows have equal length and take turns; the best
 * pair counts, as other programs on the machine disturb some of them.
 */
@Timeout(300)
final class HugeListingTest {
    private static final Cookieverf3 START = Cookieverf3.of(new byte[8]);
    private static final int NAMES = 50_000;
    private static final Duration WINDOW = Duration.ofMillis(300);
    private static final int ROUNDS = 12;

    @TempDir
    private Path temporary;

    private int made;

    @Test
    void beginningsOfHugeListingsLeaveOthersHalfTheirRate() throws Exception {
        try (Served served = new Served(Served.On.TCP_POSIX, temporary)) {
            Path huge = Files.createDirectory(served.directory.resolve("huge"));
            for (int i = 0; i < NAMES; i++) {
                Files.createFile(huge.resolve("name" + i));
            }
            NfsFh3 root = served.root();
            NfsFh3 listed = served.mounted(huge.toString());
            created(served, root);

            double best = 0;
            for (int round = 0; round < ROUNDS && best < 0.5; round++) {
                double undisturbed;
                try (BusyThread busy = new BusyThread()) {
                    undisturbed = created(served, root);
                    assertThat(busy.isBusy()).isTrue();
                }
                try (Listing bad = new Listing(served, listed)) {
                    best = Math.max(best, created(served, root) / undisturbed);
                    assertThat(bad.listings()).isPositive();
                }
            }
            assertThat(best).isGreaterThanOrEqualTo(0.5);
        }
    }

    /** Makes files for as long as a window lasts. @return how many */
    private double created(Served served, NfsFh3 root) throws Exception {
        int before = made;
        long end = System.nanoTime() + WINDOW.toNanos();
        do {
            served.create(served.nfs, root, "made" + made++);
        } while (System.nanoTime() < end);
        return made - before;
    }

    /** Begins listings of one directory, each when the one before is answered, until it is closed. */
    private static final class Listing implements AutoCloseable {
        private static final int AT_A_TIME = 1;

        private final ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
        private final List<Future<Integer>> listing = new ArrayList<>();
        private final CompletableFuture<Void> first = new CompletableFuture<>();
        private volatile boolean over;

        Listing(Served served, NfsFh3 directory) {
            for (int i = 0; i < AT_A_TIME; i++) {
                listing.add(threads.submit(() -> list(served, directory)));
            }
            first.join();
        }

        private int list(Served served, NfsFh3 directory) throws Exception {
            int listings = 0;
            try {
                while (!over) {
                    assertThat(served.nfs.readdir(new Readdir3Args(directory, 0, START, 512)))
                            .isInstanceOf(Readdir3Res.Nfs3Ok.class);
                    listings++;
                    first.complete(null);
                }
            } finally {
                first.complete(null);
            }
            return listings;
        }

        /** Waits for the end of those under way. @return how many there have been */
        int listings() throws Exception {
            over = true;
            int sum = 0;
            for (Future<Integer> each : listing) {
                sum += each.get();
            }
            return sum;
        }

        @Override
        public void close() {
            over = true;
            threads.shutdown();
        }
    }

    /** Takes as much of one processor as it gets. */
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
