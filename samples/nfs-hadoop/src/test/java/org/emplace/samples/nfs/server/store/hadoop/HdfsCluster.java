// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.StoreFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** A name node and a data node in this process, started once for all tests. Each test uses its own directory. */
final class HdfsCluster implements AutoCloseable {
    private final Path directory;
    private final MiniDFSCluster cluster;
    private final AtomicInteger directories = new AtomicInteger();
    private @Nullable URI filled;

    /** @param blockSize bytes of a block; a data node reserves space for the whole of each block that is being written */
    HdfsCluster(String blockSize) throws IOException {
        this.directory = Files.createTempDirectory("hdfs");
        Configuration configuration = new Configuration();
        configuration.set("dfs.heartbeat.interval", "1s");
        configuration.set("dfs.blocksize", blockSize);
        configuration.set("dfs.namenode.fs-limits.max-blocks-per-file", "10000");
        configuration.set("dfs.namenode.redundancy.interval.seconds", "1s");
        configuration.set("dfs.namenode.accesstime.precision", "3600000");
        this.cluster = new MiniDFSCluster.Builder(configuration, directory.toFile())
                .numDataNodes(1)
                .build();
    }

    /** Runs a cluster in this process, for tests/interop/linux-against-hadoop. Prints its URI when it is ready, and ends when standard input does. */
    public static void main(String[] arguments) throws IOException {
        try (HdfsCluster cluster = new HdfsCluster("32m")) {
            System.out.println(cluster.fileSystem().getUri());
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }

    /** A new directory. */
    URI directory() throws IOException {
        String path = "/exported " + directories.incrementAndGet();
        fileSystem().mkdirs(new org.apache.hadoop.fs.Path(path));
        return cluster.getURI().resolve(path.replace(" ", "%20"));
    }

    /** Makes files in a directory. */
    interface Filling {
        void fill(Path directory) throws IOException;
    }

    /** A directory with files that never change. The first call fills it. */
    synchronized URI filledDirectory(Path temporary, Filling filling) throws IOException {
        if (filled == null) {
            Path local = Files.createDirectory(temporary.resolve("filling"));
            filling.fill(local);
            URI fresh = directory();
            org.apache.hadoop.fs.Path parent = new org.apache.hadoop.fs.Path(fresh);
            try (DirectoryStream<Path> files = Files.newDirectoryStream(local)) {
                for (Path file : files) {
                    fileSystem().copyFromLocalFile(new org.apache.hadoop.fs.Path(file.toUri()), parent);
                }
            }
            filled = fresh;
        }
        return filled;
    }

    /** A directory by the name node's HTTP interface. */
    URI webUri(URI directory) {
        return URI.create("webhdfs://" + cluster.getHttpUri(0).replaceFirst("^http://", ""))
                .resolve(directory.getRawPath());
    }

    DistributedFileSystem fileSystem() throws IOException {
        return cluster.getFileSystem();
    }

    MiniDFSCluster nodes() {
        return cluster;
    }

    Configuration configuration() {
        return new Configuration(cluster.getConfiguration(0));
    }

    @Override
    public void close() throws IOException {
        cluster.shutdown(true, true);
    }

    /** Gives tests the cluster. */
    static final class Shared implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == HdfsCluster.class;
        }

        @Override
        public HdfsCluster resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return of(context);
        }

        static HdfsCluster of(ExtensionContext context) {
            return context.getRoot()
                    .getStore(Namespace.create(HdfsCluster.class))
                    .getOrComputeIfAbsent(HdfsCluster.class, ignored -> start(), HdfsCluster.class);
        }

        private static HdfsCluster start() {
            try {
                // Files have several blocks.
                return new HdfsCluster("4m");
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
    }

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
            cluster.fileSystem().delete(new org.apache.hadoop.fs.Path(directory), true);
        }
    }
}
