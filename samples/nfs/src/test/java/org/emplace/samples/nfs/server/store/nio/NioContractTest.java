// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import com.github.marschall.memoryfilesystem.MemoryFileSystemBuilder;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.emplace.samples.nfs.server.store.ReadOnlyStoreContract;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.Store.Durability;
import org.emplace.samples.nfs.server.store.StoreContract;
import org.emplace.samples.nfs.server.store.StoreFixture;
import org.junit.jupiter.api.Nested;

/** The contract of stores, on several file systems of Java. */
class NioContractTest {
    /** A store in a directory of a file system. */
    private record Fixture(Path directory, NioOptions options, Set<Feature> features) implements StoreFixture {
        @Override
        public Store open() throws IOException {
            return NioStore.open(directory, options);
        }

        @Override
        public void close() throws IOException {
            if (directory.getFileSystem() != FileSystems.getDefault()) {
                directory.getFileSystem().close();
            }
        }
    }

    @Nested
    class OnDefaultFileSystem extends StoreContract {
        @Override
        protected StoreFixture fixture() throws IOException {
            return new Fixture(
                    Files.createDirectory(temporary.resolve("exported")),
                    NioOptions.DEFAULT.withDurability(Durability.DEFERRED),
                    EnumSet.complementOf(
                            EnumSet.of(StoreFixture.Feature.SPECIAL_FILES, StoreFixture.Feature.HOLES_AND_COPIES)));
        }
    }

    @Nested
    class InMemory extends StoreContract {
        /** The largest size of a file in this file system. */
        private static final long LARGEST_FILE = 16L << 20;

        @Override
        protected StoreFixture fixture() throws IOException {
            FileSystem memory = MemoryFileSystemBuilder.newLinux().build();
            return new Fixture(
                    Files.createDirectory(memory.getPath("/exported")),
                    NioOptions.DEFAULT.withLargestFile(LARGEST_FILE),
                    EnumSet.of(
                            StoreFixture.Feature.MODES,
                            StoreFixture.Feature.NANOSECONDS,
                            StoreFixture.Feature.NAMES_WITH_COLONS,
                            StoreFixture.Feature.OVERWRITING));
        }
    }

    /** A zip file, which is read only whether Java could write it or not. */
    @Nested
    class InZipFile extends ReadOnlyStoreContract {
        /** How the file system is opened. */
        Map<String, String> access() {
            return Map.of("accessMode", "readOnly");
        }

        @Override
        protected StoreFixture fixture() throws IOException {
            Path archive = temporary.resolve("archive.zip");
            try (FileSystem zip = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
                populate(Files.createDirectory(zip.getPath("/exported")));
            }
            FileSystem zip = FileSystems.newFileSystem(archive, access());
            return new Fixture(zip.getPath("/exported"), NioOptions.DEFAULT, Set.of());
        }
    }

    @Nested
    class InWritableZipFile extends InZipFile {
        @Override
        Map<String, String> access() {
            return Map.of();
        }
    }
}
