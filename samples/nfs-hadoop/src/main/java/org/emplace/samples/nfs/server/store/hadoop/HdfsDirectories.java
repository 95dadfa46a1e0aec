// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.FoundFile;
import org.emplace.samples.nfs.server.store.hadoop.HdfsTree.Located;
import org.jspecify.annotations.Nullable;

/** Lists directories of HDFS in the order of inode numbers. New files have the largest numbers. Safe for use by several threads. */
final class HdfsDirectories implements NumberedFiles {
    private final DFSClient client;
    private final HdfsTree tree;

    HdfsDirectories(DFSClient client, HdfsTree tree) {
        this.client = client;
        this.tree = tree;
    }

    private static Located located(FoundFile file) {
        return new Located(file.attributes().number(), file.attributes());
    }

    @Override
    public FoundFile directory(FileId id) throws IOException {
        return tree.resolve(id).requireDirectory().found();
    }

    @Override
    public FoundFile parent(FoundFile directory) throws IOException {
        return tree.parent(located(directory)).found();
    }

    @Override
    public Optional<FoundFile> named(FoundFile directory, FileName name) throws IOException {
        return tree.named(located(directory), name.toString()).map(Located::found);
    }

    @Override
    public void each(FoundFile directory, long after, Consumer<Named> taker) throws IOException {
        byte[] begin = HdfsFileStatus.EMPTY_NAME;
        DirectoryListing page;
        do {
            page = page(located(directory), begin);
            for (HdfsFileStatus file : page.getPartialListing()) {
                if (file.getFileId() > after) {
                    taker.accept(new Named(
                            new FileName(file.getLocalNameInBytes()),
                            tree.located(file).found()));
                }
            }
            begin = page.getLastName();
        } while (page.hasMore());
    }

    private DirectoryListing page(Located directory, byte[] after) throws IOException {
        @Nullable DirectoryListing page = client.listPaths(directory.path(), after);
        if (page == null) {
            throw new FileNotFoundException("inode " + directory.inode() + " is gone");
        }
        return page;
    }
}
