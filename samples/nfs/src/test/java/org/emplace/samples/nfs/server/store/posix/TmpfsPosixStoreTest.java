// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.emplace.samples.nfs.server.store.StoreContract;
import org.emplace.samples.nfs.server.store.StoreFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** The contract, on the file system in memory that every Linux has. */
class TmpfsPosixStoreTest extends StoreContract {
    private @Nullable Path inMemory;

    @Override
    protected StoreFixture fixture() throws IOException {
        Path directory = Files.createTempDirectory(Path.of("/dev/shm"), "emplace-store");
        inMemory = directory;
        return new PosixFixture(Files.createDirectory(directory.resolve("export")), PosixFixture.OPTIONS);
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
