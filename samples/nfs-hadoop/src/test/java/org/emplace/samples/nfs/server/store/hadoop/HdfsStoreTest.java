// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import org.emplace.samples.nfs.server.store.ReadOnlyStoreContract;
import org.emplace.samples.nfs.server.store.StoreContract;
import org.emplace.samples.nfs.server.store.StoreFixture;
import org.emplace.samples.nfs.server.store.StoreFixture.Feature;
import org.emplace.samples.nfs.server.store.hadoop.HdfsCluster.HdfsFixture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract of stores, on the file systems of Hadoop. */
@ExtendWith(HdfsCluster.Shared.class)
class HdfsStoreTest {
    private final HdfsCluster cluster;

    HdfsStoreTest(HdfsCluster cluster) {
        this.cluster = cluster;
    }

    /** The suite writes out of order from one thread, so there is nothing to wait for: early data is spilled at once. */
    @Nested
    class Writable extends StoreContract {
        @Override
        protected StoreFixture fixture() throws IOException {
            HadoopOptions options = HadoopOptions.DEFAULT
                    .withOpenFiles(32)
                    .withTurn(Duration.ZERO)
                    .withHole(Duration.ZERO)
                    .withSpill(64 << 20, temporary);
            return new HdfsFixture(
                    cluster, cluster.directory(), Set.of(Feature.MODES, Feature.MAKERS_WRITE_READ_ONLY_FILES), options);
        }
    }

    @Nested
    class ReadOnly extends ReadOnlyStoreContract {
        @Override
        protected StoreFixture fixture() throws IOException {
            URI directory = cluster.filledDirectory(temporary, ReadOnlyStoreContract::populate);
            HadoopOptions options = HadoopOptions.DEFAULT.withReadOnly(true);
            return () -> HdfsStore.open(directory, cluster.configuration(), options);
        }
    }

    /** A file system that is reached by HTTP, as object stores are. */
    @Nested
    class ReadOnlyByHttp extends ReadOnlyStoreContract {
        @Override
        protected StoreFixture fixture() throws IOException {
            URI web = cluster.webUri(cluster.filledDirectory(temporary, ReadOnlyStoreContract::populate));
            return () -> ReadOnlyHadoopStore.open(web, cluster.configuration(), HadoopOptions.DEFAULT);
        }
    }
}
