// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import com.github.marschall.memoryfilesystem.MemoryFileSystemBuilder;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.StoreContract;
import org.emplace.samples.nfs.server.store.StoreFixture;

class InMemoryTest extends StoreContract {
    /** The largest size of a file in this file system. */
    private static final long LARGEST_FILE = 16L << 20;

    @Override
    protected StoreFixture fixture() throws IOException {
        FileSystem memory = MemoryFileSystemBuilder.newLinux().build();
        Path directory = Files.createDirectory(memory.getPath("/exported"));
        return new StoreFixture() {
            @Override
            public Set<Feature> features() {
                return Set.of(Feature.MODES, Feature.NANOSECONDS, Feature.NAMES_WITH_COLONS, Feature.OVERWRITING);
            }

            @Override
            public Store open() throws IOException {
                return NioStore.open(directory, NioOptions.DEFAULT.withLargestFile(LARGEST_FILE));
            }

            @Override
            public void close() throws IOException {
                memory.close();
            }
        };
    }
}
