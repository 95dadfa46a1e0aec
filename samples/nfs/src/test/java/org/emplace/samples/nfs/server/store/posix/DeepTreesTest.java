// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.store.TestedStore.assertFailure;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.Store.DirectoryEntry;
import org.emplace.samples.nfs.server.store.Store.FileOperation;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.TestedStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients choose how deep directories are, so no price may grow with that. Each system call allocates, so what a thread allocates tells how many it makes. */
class DeepTreesTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir
    Path temporary;

    private TestedStore tested;
    private String name = "d";

    /** The directories, the deepest first. The last one is the root. */
    private final Deque<FileId> directories = new ArrayDeque<>();

    @BeforeEach
    void open() throws IOException {
        Path directory = Files.createDirectory(temporary.resolve("export"));
        tested = new TestedStore(new PosixFixture(directory, PosixFixture.OPTIONS));
        directories.push(tested.root());
    }

    /** The paths of deep files are too long to be removed otherwise. */
    @AfterEach
    void remove() throws IOException {
        while (directories.size() > 1) {
            directories.pop();
            tested.removeDirectory(directories.getFirst(), name);
        }
        tested.close();
    }

    private void deepen(int depth) throws IOException {
        while (directories.size() <= depth) {
            directories.push(tested.makeDirectory(directories.getFirst(), name));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"d", "a name of thirty-two characters "})
    void thePriceOfTheParentDoesNotGrowWithTheDepth(String each) throws IOException {
        name = each;
        deepen(16);
        long shallow = parentsPrice();
        for (int depth : new int[] {1000, 2000, 4000}) {
            deepen(depth);
            assertThat(parentsPrice()).as("depth %d", depth).isLessThan(24 * shallow);
        }
    }

    /** What is allocated to find and list the parent, beyond what it takes to find the two directories themselves. */
    private long parentsPrice() throws IOException {
        FileId directory = directories.getFirst();
        FileId parent = directories.stream().skip(1).findFirst().orElseThrow();
        long found = allocated(() -> List.of(tested.attributes(directory), tested.attributes(parent)));
        long looked = allocated(() -> {
            assertThat(tested.lookup(directory, "..")).isEqualTo(parent);
            return true;
        });
        long listed = allocated(() -> {
            List<DirectoryEntry> entries = new ArrayList<>();
            tested.store().list(tested.caller(), directory, 0, 0, true, entries::add);
            assertThat(entries.get(1).file()).map(file -> file.id()).contains(parent);
            return true;
        });
        return Math.max(looked, listed) - found;
    }

    /** The least of several runs, because classes are loaded in the first one. */
    private static long allocated(FileOperation<?> operation) throws IOException {
        long least = Long.MAX_VALUE;
        for (int run = 0; run < 5; run++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            operation.run();
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    @Test
    void theSearchForTheRootEnds() throws IOException {
        deepen(6200);
        FileId lowest = directories.getFirst();
        FileId parent = directories.stream().skip(1).findFirst().orElseThrow();
        assertFailure(() -> tested.lookup(lowest, ".."), Failure.STALE);
        for (boolean withFiles : new boolean[] {false, true}) {
            List<DirectoryEntry> entries = new ArrayList<>();
            tested.store().list(tested.caller(), lowest, 0, 0, withFiles, entries::add);
            assertThat(entries.get(1).number())
                    .isEqualTo(tested.attributes(parent).number());
            assertThat(entries.get(1).file()).isEmpty();
        }
    }

    /** At any depth, also where the kernel reports no path, and beside a directory whose name begins like the root's. */
    @ParameterizedTest
    @ValueSource(ints = {2, 100, 3000})
    void whatIsMovedOutOfTheTreeHasNoParent(int depth) throws IOException {
        deepen(depth);
        FileId deepest = directories.getFirst();
        Path inside = temporary.resolve("export").resolve(name);
        Path outside = temporary.resolve("export too");
        Files.move(inside, outside);
        try {
            assertFailure(() -> tested.lookup(deepest, ".."), Failure.STALE, Failure.JUKEBOX);
        } finally {
            Files.move(outside, inside);
        }
        assertThat(tested.lookup(deepest, ".."))
                .isEqualTo(directories.stream().skip(1).findFirst().orElseThrow());
    }
}
