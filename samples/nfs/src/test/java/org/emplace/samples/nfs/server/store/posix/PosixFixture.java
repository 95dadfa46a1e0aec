// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.StoreFixture;

/** A directory of this machine. */
final class PosixFixture implements StoreFixture {
    static final PosixOptions OPTIONS = PosixOptions.DEFAULT.withDurability(Durability.DEFERRED);

    private final Path directory;
    private final PosixOptions options;

    PosixFixture(Path directory, PosixOptions options) {
        this.directory = directory;
        this.options = options;
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.allOf(Feature.class);
    }

    @Override
    public Store open() throws IOException {
        return PosixStore.open(directory, options);
    }

    @Override
    public void close() {}
}
