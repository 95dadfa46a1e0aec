// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.emplace.samples.nfs.client.command.ServedExport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the same random operations on the default file system and by {@code nfs://}. {@code -Dfiles.operations=100000} runs more of them; {@code
 * -Dfiles.seed=N} repeats those of a failure.
 */
class FilesDifferentialTest {
    private static final int OPERATIONS = Integer.getInteger("files.operations", 1_500);
    private static final int TREE_EVERY = 500;
    private static final int SHOWN = 12;
    private static final int THREADS = 4;
    /** Deep enough that no symbolic link of the test leads out of the export. */
    private static final String DEPTH = "1/2/3";

    @TempDir
    private Path temporary = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void everyOperationEndsAsOnTheDefaultFileSystem(String protocol) throws Exception {
        long seed = Long.getLong("files.seed", System.nanoTime());
        ExecutorService threads = Executors.newFixedThreadPool(THREADS); // each operation by another one
        try (ServedExport served = new ServedExport(protocol, temporary);
                FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of())) {
            Path local = Files.createDirectories(temporary.resolve("local").resolve(DEPTH));
            Path remote = Files.createDirectories(nfs.getPath("/" + DEPTH));
            RandomFileOperations expected = new RandomFileOperations(local, "unix:nlink", seed);
            RandomFileOperations actual = new RandomFileOperations(remote, "nfs:nlink", seed);
            Deque<String> last = new ArrayDeque<>();
            for (int i = 0; i < OPERATIONS; i++) {
                last.add(expected.next());
                assertThat(threads.submit(actual::next).get())
                        .as("-Dfiles.seed=%d, operation %d, after %s", seed, i, last)
                        .isEqualTo(last.getLast());
                if (last.size() > SHOWN) {
                    last.remove();
                }
                if (i % TREE_EVERY == 0 || i == OPERATIONS - 1) {
                    assertThat(actual.tree())
                            .as("-Dfiles.seed=%d, operation %d", seed, i)
                            .isEqualTo(expected.tree());
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
