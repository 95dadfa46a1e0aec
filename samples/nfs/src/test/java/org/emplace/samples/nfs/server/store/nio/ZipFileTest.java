// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.emplace.samples.nfs.server.store.ReadOnlyStoreContract;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.StoreFixture;

/** A zip file, which is read only whether Java could write it or not. */
class ZipFileTest extends ReadOnlyStoreContract {
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
        return new StoreFixture() {
            @Override
            public Set<Feature> features() {
                return Set.of();
            }

            @Override
            public Store open() throws IOException {
                return NioStore.open(zip.getPath("/exported"), NioOptions.DEFAULT);
            }

            @Override
            public void close() throws IOException {
                zip.close();
            }
        };
    }
}
