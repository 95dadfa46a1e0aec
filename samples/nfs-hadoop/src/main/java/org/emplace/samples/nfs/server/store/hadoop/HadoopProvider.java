// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.emplace.samples.nfs.server.export.StoreProvider;
import org.emplace.samples.nfs.server.store.Store;

/** Opens directories of Hadoop's file systems by the Hadoop configuration on the class path: HDFS for reading and writing, others for reading. */
public final class HadoopProvider implements StoreProvider {
    /** Directories of this machine have other stores, which support symbolic links and keep clients inside. */
    private static final String LOCAL = "file";

    @Override
    public boolean opens(String scheme) {
        return !scheme.equals(LOCAL);
    }

    @Override
    public Store open(URI place) throws IOException {
        Configuration configuration = new Configuration();
        if (place.getScheme().equals("hdfs")) {
            return HdfsStore.open(place, configuration, HadoopOptions.DEFAULT);
        }
        try {
            FileSystem.getFileSystemClass(place.getScheme(), configuration);
        } catch (IOException | RuntimeException e) {
            throw new IOException(
                    "cannot export " + place + ": " + HdfsFailures.firstLine(e)
                            + "; HADOOP_CLASSPATH names the JARs of file systems that Hadoop's client lacks",
                    e);
        }
        return ReadOnlyHadoopStore.open(place, configuration, HadoopOptions.DEFAULT);
    }
}
