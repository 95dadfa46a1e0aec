// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.IOException;
import java.net.URI;
import java.util.Set;
import org.emplace.samples.nfs.server.store.ReadOnlyStoreContract;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.StoreFixture;
import org.junit.jupiter.api.extension.ExtendWith;

/** A file system that is reached by HTTP, as object stores are. */
@ExtendWith(HdfsCluster.Shared.class)
class ReadOnlyWebHdfsTest extends ReadOnlyStoreContract {
    private final HdfsCluster cluster;

    ReadOnlyWebHdfsTest(HdfsCluster cluster) {
        this.cluster = cluster;
    }

    @Override
    protected StoreFixture fixture() throws IOException {
        URI directory = cluster.filledDirectory(temporary, ReadOnlyStoreContract::populate);
        URI web = cluster.webUri(directory);
        return new StoreFixture() {
            @Override
            public Set<Feature> features() {
                return Set.of();
            }

            @Override
            public Store open() throws IOException {
                return ReadOnlyHadoopStore.open(web, cluster.configuration(), HadoopOptions.DEFAULT);
            }

            /** The files stay, for the other tests. */
            @Override
            public void close() {}
        };
    }
}
