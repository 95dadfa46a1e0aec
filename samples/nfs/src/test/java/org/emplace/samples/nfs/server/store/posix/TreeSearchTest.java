// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.store.TestedStore.assertFailure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.posix.FileLocator.IndexLocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Searching a tree does not occupy a thread for long. */
class TreeSearchTest {
    private static final int FILES = 1_000;
    private static final long TICK = Duration.ofMillis(5).toNanos();

    @TempDir
    Path temporary;

    private Descriptor root;
    private FileIds ids;
    private FileId wanted;

    @BeforeEach
    void makeFiles() throws IOException {
        for (int i = 0; i < FILES; i++) {
            Files.createFile(temporary.resolve("file " + i));
        }
        root = opened(temporary);
        ids = FileIds.of(root);
        try (EntryStream entries = EntryStream.open(root, 0)) {
            FileName last = FileName.of("none");
            for (EntryStream.Entry entry = entries.next(); entry != null; entry = entries.next()) {
                last = entry.name();
            }
            try (Descriptor file = opened(temporary.resolve(last.toString()))) {
                wanted = ids.of(file, file.status());
            }
        }
    }

    @AfterEach
    void close() throws IOException {
        root.close();
    }

    private static Descriptor opened(Path path) throws IOException {
        byte[] bytes = NameBytes.terminated(FileName.of(path.toString()));
        return Descriptor.of(SystemCalls.open(bytes, SystemCalls.READ_ONLY), "opening");
    }

    private IndexLocator handles(LongSupplier nanoTime) throws IOException {
        return new IndexLocator(root, ids.of(root, root.status()), ids, FILES, nanoTime);
    }

    @Test
    void aListingContinuesInTheMiddleOfALargeDirectory() throws IOException {
        long[] now = new long[1];
        try (IndexLocator handles = handles(() -> now[0] += TICK)) {
            int calls = 1;
            while (!found(handles)) {
                calls++;
            }
            assertThat(calls).isBetween(FILES / 110, FILES / 90);
        }
    }

    private boolean found(IndexLocator handles) throws IOException {
        try {
            handles.open(wanted).close();
            return true;
        } catch (StoreException e) {
            assertThat(e.failure()).isEqualTo(Failure.JUKEBOX);
            return false;
        }
    }

    @Test
    void otherCallersDoNotWaitForTheSearchingThread() throws Exception {
        CountDownLatch searching = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        try (IndexLocator handles = handles(() -> {
            searching.countDown();
            Assertions.assertDoesNotThrow(() -> asked.await());
            return 0;
        })) {
            CompletableFuture<Boolean> first =
                    CompletableFuture.supplyAsync(() -> Assertions.assertDoesNotThrow(() -> found(handles)));
            searching.await();
            try {
                Assertions.assertTimeoutPreemptively(
                        Duration.ofSeconds(30), () -> assertFailure(() -> handles.open(wanted), Failure.JUKEBOX));
            } finally {
                asked.countDown();
            }
            assertThat(first.join()).isTrue();
        }
    }
}
