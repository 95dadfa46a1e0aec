// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.store.TestedStore.assertFailure;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.samples.nfs.server.store.Store.DirectoryEntry;
import org.emplace.samples.nfs.server.store.Store.Stability;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several clients at the same time. Like clients, threads retry after a JUKEBOX. */
@Timeout(120)
public interface ConcurrencyContract {
    int THREADS = 6;

    TestedStore tested();

    /** The work of a thread, given its number. */
    @FunctionalInterface
    interface Work {
        void run(int thread) throws Exception;
    }

    private static void inThreads(int threads, Work work) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int thread = t;
                running.add(executor.submit(() -> {
                    work.run(thread);
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError("a thread failed", e.getCause());
        } finally {
            executor.shutdownNow();
        }
    }

    private static <T> T patiently(Callable<T> operation) throws Exception {
        while (true) {
            try {
                return operation.call();
            } catch (StoreException e) {
                if (e.failure() != Failure.JUKEBOX) {
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }

    @Test
    default void writersOfOneFileDoNotDisturbEachOther() throws Exception {
        FileId file = tested().create(tested().root(), "file");
        int block = 1000;
        int blocks = 200;
        inThreads(THREADS, thread -> {
            for (int i = thread; i < blocks; i += THREADS) {
                byte[] bytes = new byte[block];
                Arrays.fill(bytes, (byte) i);
                assertThat(tested().write(file, (long) i * block, bytes).count())
                        .isEqualTo(block);
            }
        });
        byte[] content = tested().read(file, 0, blocks * block + 1);
        assertThat(content).hasSize(blocks * block);
        for (int i = 0; i < content.length; i++) {
            assertThat(content[i]).isEqualTo((byte) (i / block));
        }
    }

    @Test
    default void oneOfAllCreatorsWins() throws Exception {
        FileId root = tested().root();
        for (int round = 0; round < 20; round++) {
            String name = "file" + round;
            AtomicInteger winners = new AtomicInteger();
            inThreads(THREADS, thread -> {
                Creation how = thread % 2 == 0
                        ? new Creation.Guarded(AttributeChange.NONE)
                        : new Creation.Exclusive(1000L + thread);
                try {
                    tested().create(root, name, how);
                    winners.incrementAndGet();
                } catch (StoreException e) {
                    assertThat(e.failure()).isEqualTo(Failure.EXIST);
                }
            });
            assertThat(winners).hasValue(1);
        }
    }

    @Test
    default void concurrentUncheckedCreationsGetTheSameFile() throws Exception {
        FileId root = tested().root();
        Set<FileId> made = ConcurrentHashMap.newKeySet();
        inThreads(
                THREADS,
                thread -> made.add(tested().create(root, "file", new Creation.Unchecked(AttributeChange.NONE))
                        .id()));
        assertThat(made).containsExactly(tested().lookup("file"));
    }

    @Test
    default void idsKeepTheirFilesWhileDirectoriesAreRenamed() throws Exception {
        FileId root = tested().root();
        List<FileId> files = new ArrayList<>();
        for (String name : new String[] {"a", "b"}) {
            FileId directory = tested().makeDirectory(root, name);
            FileId below = tested().makeDirectory(directory, "below");
            files.add(tested().create(below, "file", "the file made in " + name));
        }
        AtomicBoolean done = new AtomicBoolean();
        inThreads(3, thread -> {
            if (thread == 2) {
                try {
                    for (int i = 0; i < 500; i++) {
                        tested().rename(root, "a", root, "c");
                        tested().rename(root, "b", root, "a");
                        tested().rename(root, "c", root, "b");
                    }
                } finally {
                    done.set(true);
                }
                return;
            }
            do {
                String text = "the file made in " + (thread == 0 ? "a" : "b");
                assertThat(tested().read(files.get(thread))).isEqualTo(text);
                tested().write(files.get(thread), 0, text);
            } while (!done.get());
        });
    }

    @Test
    default void listingsVisitLastingEntriesDespiteChanges() throws Exception {
        FileId root = tested().root();
        Set<String> staying = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            tested().create(root, "stays" + i);
            staying.add("stays" + i);
        }
        inThreads(4, thread -> {
            for (int i = 0; i < 60; i++) {
                if (thread < 2) {
                    String name = "goes" + thread + "-" + i;
                    patiently(() -> tested().create(root, name));
                    patiently(() -> tested().rename(root, name, root, name + "x"));
                    patiently(() -> tested().remove(root, name + "x"));
                } else {
                    List<String> met = tested().names(root, 7 + i);
                    assertThat(met.stream().filter(staying::contains)).containsExactlyInAnyOrderElementsOf(staying);
                }
            }
        });
    }

    @Test
    default void aFileRemovedWhileItIsReadIsNeverReadAsAnother() throws Exception {
        FileId root = tested().root();
        int rounds = Math.min(100, tested().many() / 30);
        inThreads(4, thread -> {
            for (int i = 0; i < rounds; i++) {
                String text = "thread " + thread + " round " + i;
                String name = "file" + thread % 2;
                FileId file;
                try {
                    file = patiently(() -> tested().create(root, name));
                    patiently(() -> tested().write(file, 0, text));
                    assertThat(patiently(() -> tested().read(file))).isIn(text, "");
                    patiently(() -> tested().remove(root, name));
                } catch (StoreException e) {
                    assertThat(e.failure()).isIn(Failure.EXIST, Failure.STALE, Failure.NOENT);
                }
            }
        });
    }

    private static <T> T inAnotherThread(Callable<T> operation) {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            return executor.submit(operation).get(60, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("the other thread had to wait, or failed", e);
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    default void aPausedListingDoesNotDelayOthers() throws Exception {
        FileId root = tested().root();
        tested().create(root, "file");
        List<FileId> made = new ArrayList<>();
        tested().store().list(tested().caller(), root, 0, 0, true, entry -> {
            made.add(inAnotherThread(() -> tested().create(root, "made during " + made.size())));
            return made.size() < 3;
        });
        assertThat(made).hasSize(3);
    }

    @Test
    default void aSlowClientDoesNotDelayOthers() throws Exception {
        FileId root = tested().root();
        FileId file = tested().create(root, "file", "0123456789");
        ByteBuffer bytes = ByteBuffer.wrap(new byte[] {'x'});
        Payload slow = new Payload() {
            @Override
            public long length() {
                return 1;
            }

            @Override
            public ByteBuffer buffer() {
                inAnotherThread(() -> tested().write(file, 10, "abc"));
                inAnotherThread(() -> tested().create(root, "other"));
                inAnotherThread(() -> tested().rename(root, "other", root, "another"));
                return bytes.asReadOnlyBuffer();
            }

            @Override
            public CompletionStage<Void> fetchInto(ByteBuffer sink) {
                sink.duplicate().put(buffer());
                return CompletableFuture.completedFuture(null);
            }
        };
        tested().store().write(tested().caller(), file, 13, slow, Stability.UNSTABLE);
        assertThat(tested().read(file)).isEqualTo("0123456789abcx");
    }

    @Test
    default void concurrentChangesLeaveAConsistentTree() throws Exception {
        FileId root = tested().root();
        Set<Failure> expected = EnumSet.of(
                Failure.NOENT,
                Failure.EXIST,
                Failure.NOTDIR,
                Failure.ISDIR,
                Failure.NOTEMPTY,
                Failure.INVAL,
                Failure.STALE,
                Failure.JUKEBOX);
        long seed = 81;
        int rounds = Math.min(400, tested().many() / 10);
        inThreads(THREADS, thread -> {
            Random random = new Random(seed + thread);
            List<FileId> directories = new ArrayList<>(List.of(root));
            for (int i = 0; i < rounds; i++) {
                FileId in = directories.get(random.nextInt(directories.size()));
                FileId to = directories.get(random.nextInt(directories.size()));
                String name = "n" + random.nextInt(6);
                String other = "n" + random.nextInt(6);
                try {
                    switch (random.nextInt(8)) {
                        case 0, 1 -> directories.add(tested().makeDirectory(in, name));
                        case 2 -> tested().create(in, name, new Creation.Unchecked(AttributeChange.NONE));
                        case 3, 4 -> tested().rename(in, name, to, other);
                        case 5 -> tested().remove(in, name);
                        case 6 -> tested().removeDirectory(in, name);
                        default -> tested().names(in, 3);
                    }
                } catch (StoreException e) {
                    assertThat(expected).as("seed %d, %s", seed, e).contains(e.failure());
                }
            }
        });
        assertHoldsTogether(root, root, 0);
    }

    private void assertHoldsTogether(FileId directory, FileId parent, int depth) throws IOException {
        assertThat(depth).isLessThan(100);
        assertThat(tested().lookup(directory, "..")).isEqualTo(parent);
        for (DirectoryEntry entry : tested().list(directory, 1000).entries()) {
            String name = entry.name().toString();
            if (!name.startsWith(".")) {
                FileId child = entry.file().orElseThrow().id();
                assertThat(tested().lookup(directory, name)).isEqualTo(child);
                if (tested().attributes(child).isDirectory()) {
                    assertHoldsTogether(child, directory, depth + 1);
                } else {
                    assertFailure(() -> tested().lookup(child, ".."), Failure.NOTDIR);
                }
            }
        }
    }
}
