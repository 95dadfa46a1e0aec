// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.FileType;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.emplace.samples.nfs.server.store.hadoop.Listings.NumberedFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What listings of large directories cost. */
@Timeout(60)
class ListingsTest {
    private static final int LARGE = 5000;
    private static final long DIRECTORY = 16_385;

    private final Directory files = new Directory();
    private final Listings listings = new Listings(files, 1, true, 4 * LARGE);

    @Test
    void beginningALargeListingAgainDoesNotReadTheDirectoryAgain() throws IOException {
        for (int i = 0; i < 10; i++) {
            assertThat(beginning()).containsExactly(".", "..", "file1", "file2", "file3");
        }
        assertThat(files.reads).hasValue(1);
    }

    @Test
    void aNewListingShowsWhatHasChanged() throws IOException {
        assertThat(beginning()).contains("file1");
        files.first = 2;
        files.modified.incrementAndGet();
        assertThat(beginning()).containsExactly(".", "..", "file2", "file3", "file4");
    }

    @Test
    void aChangeWhileTheDirectoryIsReadIsNotMissed() throws IOException {
        files.changesWhileRead = true;
        assertThat(beginning()).contains("file1");
        files.first = 2;
        assertThat(beginning()).contains("file2").doesNotContain("file1");
    }

    @Test
    void aDirectoryWhoseTimeIsInTheFutureIsReadAgain() throws IOException {
        files.modified.set(System.currentTimeMillis() + 1_000_000);
        assertThat(beginning()).contains("file1");
        files.first = 2;
        assertThat(beginning()).contains("file2").doesNotContain("file1");
    }

    @Test
    void fewThreadsReadLargeDirectoriesAtATime() throws Exception {
        files.changesWhileRead = true;
        ExecutorService clients = Executors.newCachedThreadPool();
        List<Future<List<String>>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(clients.submit(() -> beginning()));
        }
        for (Future<List<String>> each : all) {
            assertThat(each.get()).contains("file1");
        }
        clients.shutdown();
        assertThat(files.mostReaders).hasValue(2);
    }

    /** A client with one listing waits for one of those of another client, however many that has. */
    @Test
    void clientsTakeTurnsInReadingLargeDirectories() throws Exception {
        files.changesWhileRead = true;
        ExecutorService clients = Executors.newCachedThreadPool();
        List<Future<List<String>>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(clients.submit(() -> beginning("bad")));
        }
        Awaitility.await().until(() -> files.reads.get() == 8);
        int before = files.mostlyRead.get();
        assertThat(beginning("good")).contains("file1");
        assertThat(files.mostlyRead.get() - before).isLessThanOrEqualTo(5);
        for (Future<List<String>> each : all) {
            each.get();
        }
        clients.shutdown();
    }

    private List<String> beginning() throws IOException {
        return beginning("a client");
    }

    private List<String> beginning(String peer) throws IOException {
        List<String> names = new ArrayList<>();
        listings.list(peer, id(DIRECTORY), 0, 0, false, entry -> {
            boolean taken = names.size() < 5;
            return taken && names.add(entry.name().toString());
        });
        return names;
    }

    private static FileId id(long number) {
        return new FileId(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    }

    /** A directory of many files. Reading it takes a while. */
    private static final class Directory implements NumberedFiles {
        private final AtomicInteger reads = new AtomicInteger();
        private final AtomicInteger readers = new AtomicInteger();
        private final AtomicInteger mostlyRead = new AtomicInteger();
        private final AtomicInteger mostReaders = new AtomicInteger();
        private volatile boolean changesWhileRead;
        private volatile int first = 1;
        private final AtomicLong modified = new AtomicLong(1000);

        private FoundFile file(long number, FileType type) {
            FileTime time = FileTime.fromMillis(modified.get());
            return new FoundFile(
                    id(number), new FileAttributes(number, type, 0755, 1, 0, 0, 0, 0, 0, time, time, time));
        }

        @Override
        public FoundFile directory(FileId id) {
            return file(DIRECTORY, FileType.DIRECTORY);
        }

        @Override
        public Parent parent(FoundFile directory) {
            return Parent.of(directory);
        }

        @Override
        public Optional<FoundFile> named(FoundFile directory, FileName name) {
            return Optional.of(
                    file(DIRECTORY + Integer.parseInt(name.toString().substring("file".length())), FileType.REGULAR));
        }

        @Override
        public void each(FoundFile directory, long after, Taker taker) throws IOException {
            reads.incrementAndGet();
            for (int i = first; i <= LARGE; i++) {
                taker.accept(new Named(FileName.of("file" + i), file(DIRECTORY + i, FileType.REGULAR)));
                if (i == LARGE / 2) {
                    mostReaders.accumulateAndGet(readers.incrementAndGet(), Math::max);
                    pause();
                    readers.decrementAndGet();
                    mostlyRead.incrementAndGet();
                }
            }
        }

        private void pause() throws IOException {
            modified.addAndGet(changesWhileRead ? 1 : 0);
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }
}
