// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.emplace.rpc.OneBadPeer;
import org.emplace.samples.nfs.protocol.Cookieverf3;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Readdir3Args;
import org.emplace.samples.nfs.protocol.Readdir3Res;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client that repeatedly lists a directory with very many names leaves another client, which creates files, at least half of its rate. */
@Timeout(300)
final class HugeListingTest {
    private static final Cookieverf3 START = Cookieverf3.of(new byte[8]);
    private static final int NAMES = 50_000;

    @TempDir
    private Path temporary;

    private int made;

    @Test
    void startingHugeListingsLeavesOthersHalfTheirRate() throws Exception {
        try (Served served = new Served(Served.On.TCP_POSIX, temporary)) {
            Path huge = Files.createDirectory(served.directory.resolve("huge"));
            for (int i = 0; i < NAMES; i++) {
                Files.createFile(huge.resolve("name" + i));
            }
            NfsFh3 root = served.root();
            NfsFh3 listed = served.mounted(huge.toString());

            OneBadPeer.leavesHalfTheRate(
                    () -> new Listing(served, listed), () -> served.create(served.nfs, root, "made" + made++));
        }
    }

    /** Starts listings of one directory, each when the previous one has been answered, until it is closed. */
    private static final class Listing implements AutoCloseable {
        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        private final CompletableFuture<Void> first = new CompletableFuture<>();
        private final Future<Integer> listings;
        private volatile boolean over;

        Listing(Served served, NfsFh3 directory) {
            listings = thread.submit(() -> list(served, directory));
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

        @Override
        public void close() {
            over = true;
            thread.shutdown();
            assertThat(listings)
                    .succeedsWithin(Duration.ofMinutes(1), InstanceOfAssertFactories.INTEGER)
                    .isPositive();
        }
    }
}
