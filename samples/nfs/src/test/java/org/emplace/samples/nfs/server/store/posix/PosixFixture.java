// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.Store.Durability;
import org.emplace.samples.nfs.server.store.StoreFixture;

/** A directory of this machine. */
final class PosixFixture implements StoreFixture {
    static final PosixOptions OPTIONS = PosixOptions.DEFAULT.withDurability(Durability.DEFERRED);

    private final Path directory;
    private final PosixOptions options;
    private boolean callersAct;

    PosixFixture(Path directory, PosixOptions options) {
        this.directory = directory;
        this.options = options;
    }

    @Override
    public Set<Feature> features() {
        EnumSet<Feature> features = EnumSet.allOf(Feature.class);
        if (!callersAct) {
            features.remove(Feature.SET_ID_MODES);
        }
        return features;
    }

    @Override
    public Store open() throws IOException {
        PosixStore store = PosixStore.open(directory, options);
        callersAct = store.limits().actsAsCaller();
        return store;
    }

    @Override
    public void close() {}
}
