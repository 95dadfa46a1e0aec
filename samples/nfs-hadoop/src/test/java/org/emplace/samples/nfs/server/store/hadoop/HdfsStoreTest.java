// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import org.emplace.samples.nfs.server.store.StoreContract;
import org.emplace.samples.nfs.server.store.StoreFixture;
import org.emplace.samples.nfs.server.store.StoreFixture.Feature;
import org.junit.jupiter.api.extension.ExtendWith;

/** The suite writes out of order from one thread, so there is nothing to wait for: early data is spilled at once. */
@ExtendWith(HdfsCluster.Shared.class)
class HdfsStoreTest extends StoreContract {
    private final HdfsCluster cluster;

    HdfsStoreTest(HdfsCluster cluster) {
        this.cluster = cluster;
    }

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
