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

    /** What a file that is read, and another one that is written, have open: up to four connections to data nodes, and one with a spill. */
    private static final int DESCRIPTORS = 6;

    @Override
    public boolean opens(String scheme) {
        return !scheme.equals(LOCAL);
    }

    @Override
    public Store open(URI place, int descriptors) throws IOException {
        Configuration configuration = new Configuration();
        HadoopOptions options = HadoopOptions.DEFAULT.withOpenFiles(
                Math.max(1, Math.min(HadoopOptions.DEFAULT.openFiles(), descriptors / DESCRIPTORS)));
        if (place.getScheme().equals("hdfs")) {
            return HdfsStore.open(place, configuration, options);
        }
        try {
            FileSystem.getFileSystemClass(place.getScheme(), configuration);
        } catch (IOException | RuntimeException e) {
            throw new IOException(
                    "cannot export " + place + ": " + HdfsFailures.firstLine(e)
                            + "; HADOOP_CLASSPATH names the JARs of file systems that Hadoop's client lacks",
                    e);
        }
        return ReadOnlyHadoopStore.open(place, configuration, options);
    }
}
