// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.emplace.samples.nfs.server.export.StoreProvider;
import org.emplace.samples.nfs.server.store.Store;

/** Opens directories of HDFS, as the Hadoop configuration on the class path says. */
public final class HdfsProvider implements StoreProvider {
    @Override
    public boolean opens(String scheme) {
        return scheme.equals("hdfs");
    }

    @Override
    public Store open(URI place) throws IOException {
        return HdfsStore.open(place, new Configuration(), HadoopOptions.DEFAULT);
    }
}
