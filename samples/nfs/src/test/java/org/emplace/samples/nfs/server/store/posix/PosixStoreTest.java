// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.StoreContract;
import org.emplace.samples.nfs.server.store.StoreFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract of stores, in each mode of this store. */
class PosixStoreTest {
    /** Finds files as the process's rights allow: by the kernel's handles if it runs as root. */
    @Nested
    class ByHandle extends StoreContract {
        @Override
        protected StoreFixture fixture() throws IOException {
            return new PosixFixture(Files.createDirectory(temporary.resolve("export")), PosixFixture.OPTIONS);
        }
    }

    @Nested
    class ByIndex extends StoreContract {
        @Override
        protected StoreFixture fixture() throws IOException {
            return new PosixFixture(
                    Files.createDirectory(temporary.resolve("export")), PosixFixture.OPTIONS.withIndex(true));
        }
    }

    /** An ordinary user makes all calls, if the process may act as one. */
    @Nested
    class Acting extends StoreContract {
        @Override
        protected StoreFixture fixture() throws IOException {
            Path directory = Files.createDirectory(temporary.resolve("export"));
            PosixOptions options = PosixFixture.OPTIONS.withCallersAct(true);
            try (PosixStore store = PosixStore.open(directory, options)) {
                if (store.limits().actsAsCaller()) {
                    Files.setAttribute(directory, "unix:gid", 1234);
                    Files.setAttribute(directory, "unix:uid", 1234);
                }
            }
            return new PosixFixture(directory, options);
        }
    }

    /** On tmpfs, which every Linux has. */
    @Nested
    class OnTmpfs extends StoreContract {
        private @Nullable Path inMemory;

        @Override
        protected StoreFixture fixture() throws IOException {
            Path directory = Files.createTempDirectory(Path.of("/dev/shm"), "emplace-store");
            inMemory = directory;
            return new PosixFixture(Files.createDirectory(directory.resolve("export")), PosixFixture.OPTIONS);
        }

        /** This file system keeps any time that a local program sets. */
        @Test
        void timesBeyondThoseOfJavaAreTheFarthestThatItHas() throws IOException {
            FileId id = tested().create(tested().root(), "file");
            Path file = Objects.requireNonNull(inMemory).resolve("export").resolve("file");
            byte[] path = NameBytes.terminated(FileName.of(file.toString()));
            try (Descriptor open = Descriptor.of(SystemCalls.open(path, SystemCalls.WRITE_ONLY), "opening")) {
                SystemCalls.setTimes(open.number(), new long[] {Long.MIN_VALUE, 0, Long.MAX_VALUE, 0});
            }
            FileAttributes attributes = tested().attributes(id);
            assertThat(attributes.accessed().toInstant()).isEqualTo(Instant.MIN);
            assertThat(attributes.modified().toInstant()).isEqualTo(Instant.MAX);
        }

        @AfterEach
        void removeFiles() throws IOException {
            try (Stream<Path> all = Files.walk(Objects.requireNonNull(inMemory))) {
                List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
                for (Path path : deepestFirst) {
                    Files.delete(path);
                }
            }
        }
    }
}
