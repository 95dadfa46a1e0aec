// SPDX-License-Identifier: Apache-2.0
/** NFS version 3 as a file system of {@code java.nio.file}, found by ServiceLoader; copies of trees; and the generated client. */
module org.emplace.nfs.client {
    requires transitive org.emplace.rpc;
    requires org.emplace.runtime;
    requires static org.jspecify;

    exports org.emplace.samples.nfs.client;
    exports org.emplace.samples.nfs.client.copy;
    exports org.emplace.samples.nfs.client.files;
    exports org.emplace.samples.nfs.path;
    exports org.emplace.samples.nfs.protocol;
    exports org.emplace.samples.nfs.security;

    provides java.nio.file.spi.FileSystemProvider with
            org.emplace.samples.nfs.client.files.NfsFileSystemProvider;
}
