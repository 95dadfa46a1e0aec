// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.emplace.samples.nfs.server.store.Durability;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.StoreContract;
import org.emplace.samples.nfs.server.store.StoreFixture;

class DefaultFileSystemTest extends StoreContract {
    @Override
    protected StoreFixture fixture() throws IOException {
        Path directory = Files.createDirectory(temporary.resolve("exported"));
        return new StoreFixture() {
            @Override
            public Set<Feature> features() {
                return EnumSet.complementOf(EnumSet.of(Feature.SPECIAL_FILES));
            }

            @Override
            public Store open() throws IOException {
                return NioStore.open(directory, NioOptions.DEFAULT.withDurability(Durability.DEFERRED));
            }

            @Override
            public void close() {}
        };
    }
}
