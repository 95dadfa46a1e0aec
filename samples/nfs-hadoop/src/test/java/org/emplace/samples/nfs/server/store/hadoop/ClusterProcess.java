// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.IOException;
import java.io.OutputStream;

/** A cluster in a process of its own, for tests/interop/linux-against-hadoop. Prints its URI when it is ready, and ends when its standard input does. */
final class ClusterProcess {
    private ClusterProcess() {}

    /** Runs it. */
    public static void main(String[] arguments) throws IOException {
        try (HdfsCluster cluster = new HdfsCluster("32m")) {
            System.out.println(cluster.fileSystem().getUri());
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
