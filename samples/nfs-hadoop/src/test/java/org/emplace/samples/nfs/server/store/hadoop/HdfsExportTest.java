// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.emplace.samples.nfs.client.command.Nfs;
import org.emplace.samples.nfs.server.NfsServer;
import org.emplace.samples.nfs.server.NfsServer.Capacity;
import org.emplace.samples.nfs.server.StoreKind;
import org.emplace.samples.nfs.server.export.ExportArgument;
import org.emplace.samples.nfs.server.export.Exports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The server exports a directory of HDFS, and our client works with it over software iWARP. */
@ExtendWith(HdfsCluster.Shared.class)
class HdfsExportTest {
    private final HdfsCluster cluster;

    @TempDir
    Path temporary;

    HdfsExportTest(HdfsCluster cluster) {
        this.cluster = cluster;
    }

    private Exports export(String argument) throws Exception {
        return Exports.open(
                List.of(ExportArgument.parse(argument, warning -> {})),
                temporary.resolve("state"),
                StoreKind.NIO.opener(1));
    }

    @Test
    void filesGoToHdfsAndBack() throws Exception {
        URI directory = cluster.directory();
        Exports exports = export(directory + "=/name:rw,no_root_squash");
        List<URI> addresses = List.of(URI.create("rdma://127.0.0.1:0"), URI.create("tcp://127.0.0.1:0"));
        byte[] content = new byte[30_000_001];
        new Random(11).nextBytes(content);
        Path sent = Files.write(temporary.resolve("sent"), content);
        Path received = temporary.resolve("received");
        try (NfsServer server = NfsServer.start(exports, addresses, Capacity.DEFAULT.withConnections(8))) {
            String remote = "nfs://127.0.0.1:" + server.addresses().get(0).getPort() + "/name/file";
            String mountPort = Integer.toString(server.addresses().get(1).getPort());
            run(mountPort, "cp", sent.toString(), remote);
            run(mountPort, "cp", remote, received.toString());
            run(mountPort, "mv", remote, remote + "2");
        }
        assertThat(Files.mismatch(sent, received)).isEqualTo(-1);
        org.apache.hadoop.fs.Path stored =
                new org.apache.hadoop.fs.Path(new org.apache.hadoop.fs.Path(directory), "file2");
        try (FSDataInputStream stream = cluster.fileSystem().open(stored)) {
            assertThat(stream.readAllBytes()).isEqualTo(content);
        }
    }

    private static void run(String mountPort, String command, String... arguments) {
        List<String> line = new ArrayList<>(List.of(command, "--proto", "rdma", "--mount-port", mountPort));
        line.addAll(List.of(arguments));
        assertThat(Nfs.run(line.toArray(String[]::new))).isZero();
    }

    @Test
    void onlyDirectoriesOfHdfsAreExported() throws IOException {
        URI directory = cluster.directory();
        assertThatThrownBy(() -> export(directory + "/nothing=/name"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no such directory in HDFS");
        cluster.fileSystem()
                .create(new org.apache.hadoop.fs.Path(new org.apache.hadoop.fs.Path(directory), "file"))
                .close();
        assertThatThrownBy(() -> export(directory + "/file=/name"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not a directory in HDFS");
    }
}
