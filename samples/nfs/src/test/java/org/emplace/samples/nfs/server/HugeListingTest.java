// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.emplace.rpc.OneBadPeer;
import org.emplace.samples.nfs.protocol.Cookieverf3;
import org.emplace.samples.nfs.protocol.Entry3;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Readdir3Args;
import org.emplace.samples.nfs.protocol.Readdir3Res;
import org.emplace.samples.nfs.protocol.Readdir3Resok;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A client that repeatedly lists a directory with very many names leaves another client, which creates files, at least half of its rate.
 * {@code -Demplace.listing.names=1000000} makes the directory larger.
 */
@Timeout(300)
final class HugeListingTest {
    private static final Cookieverf3 START = Cookieverf3.of(new byte[8]);
    private static final int NAMES = Integer.getInteger("emplace.listing.names", 50_000);

    @TempDir
    private Path temporary;

    private int made;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void hugeListingsLeaveOthersHalfTheirRate(boolean whole) throws Exception {
        try (Served served = new Served(Served.On.TCP_POSIX, temporary)) {
            Path huge = Files.createDirectory(served.directory.resolve("huge"));
            for (int i = 0; i < NAMES; i++) {
                Files.createFile(huge.resolve("name" + i));
            }
            NfsFh3 root = served.root();
            NfsFh3 listed = served.mounted(huge.toString());

            OneBadPeer.leavesHalfTheRate(
                    () -> new Listing(served, listed, whole), () -> served.create(served.nfs, root, "made" + made++));
        }
    }

    /** Lists one directory again and again until it is closed, the whole of it or only the beginning. */
    private static final class Listing implements AutoCloseable {
        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        private final CompletableFuture<Void> first = new CompletableFuture<>();
        private final Future<Integer> pages;
        private volatile boolean over;

        Listing(Served served, NfsFh3 directory, boolean whole) {
            pages = thread.submit(() -> list(served, directory, whole));
            first.join();
        }

        private int list(Served served, NfsFh3 directory, boolean whole) throws Exception {
            int pages = 0;
            long cookie = 0;
            Cookieverf3 verifier = START;
            try {
                while (!over) {
                    Readdir3Resok page = ((Readdir3Res.Nfs3Ok) served.nfs.readdir(
                                    new Readdir3Args(directory, cookie, verifier, whole ? 32_768 : 512)))
                            .resok();
                    pages++;
                    first.complete(null);
                    List<Entry3> entries = page.reply().entries();
                    boolean goesOn = whole && !page.reply().eof();
                    cookie = goesOn ? entries.get(entries.size() - 1).cookie() : 0;
                    verifier = goesOn ? page.cookieverf() : START;
                }
            } finally {
                first.complete(null);
            }
            return pages;
        }

        @Override
        public void close() {
            over = true;
            thread.shutdown();
            assertThat(pages)
                    .succeedsWithin(Duration.ofMinutes(1), InstanceOfAssertFactories.INTEGER)
                    .isPositive();
        }
    }
}
