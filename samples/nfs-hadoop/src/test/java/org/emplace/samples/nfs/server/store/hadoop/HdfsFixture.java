// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.IOException;
import java.net.URI;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.StoreFixture;

/** A directory of a cluster. */
record HdfsFixture(HdfsCluster cluster, URI directory, Set<Feature> features, HadoopOptions options)
        implements StoreFixture {
    @Override
    public Store open() throws IOException {
        return HdfsStore.open(directory, cluster.configuration(), options);
    }

    /** So many that the name node lists them in several answers. */
    @Override
    public int many() {
        return 1_500;
    }

    @Override
    public void close() throws IOException {
        cluster.fileSystem().delete(new Path(directory), true);
    }
}
