// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.emplace.samples.nfs.server.store.DirectoryEntry;
import org.emplace.samples.nfs.server.store.EntryVisitor;
import org.emplace.samples.nfs.server.store.Failure;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.ListingResult;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.hadoop.HdfsTree.Located;
import org.jspecify.annotations.Nullable;

/**
 * Listing directories, in the order of the inodes: a cookie is the number of an inode, so a listing goes on from any cookie after anything,
 * also a restart. New files have the largest numbers. Safe for use by several threads.
 */
final class HdfsListings {
    private static final long SELF = 1;
    private static final long PARENT = 2;

    /** The same for ever: a cookie means the same for ever. */
    private static final long VERIFIER = 0x696e6f6465735f31L;

    /** Names that the name node tells in one answer; smaller directories are read again for each page. */
    private static final int READ_AT_ONCE = 1000;

    private static final Comparator<HdfsFileStatus> ORDER = Comparator.comparingLong(HdfsFileStatus::getFileId);

    private final DFSClient client;
    private final HdfsTree tree;
    private final Snapshots snapshots;

    HdfsListings(DFSClient client, HdfsTree tree, int mostNames) {
        this.client = client;
        this.tree = tree;
        this.snapshots = new Snapshots(mostNames);
    }

    ListingResult list(FileId id, long cookie, long verifier, boolean withFiles, EntryVisitor visitor)
            throws IOException {
        Located directory = tree.resolve(id).requireDirectory();
        if (cookie < 0 || (cookie != 0 && verifier != VERIFIER)) {
            throw new StoreException(Failure.BAD_COOKIE, "not a cookie of this store: " + cookie);
        }
        boolean end = dots(directory, cookie, withFiles, visitor)
                && named(directory, Math.max(cookie, PARENT), withFiles, visitor);
        return new ListingResult(tree.locate(directory.inode()).attributes(), VERIFIER, end);
    }

    private boolean dots(Located directory, long cookie, boolean withFiles, EntryVisitor visitor) throws IOException {
        return (cookie >= SELF || visitor.take(entry(FileName.of("."), SELF, directory, withFiles)))
                && (cookie >= PARENT
                        || visitor.take(entry(FileName.of(".."), PARENT, tree.parent(directory), withFiles)));
    }

    private static DirectoryEntry entry(FileName name, long cookie, Located file, boolean withFiles) {
        return new DirectoryEntry(name, file.inode(), cookie, withFiles ? Optional.of(file.found()) : Optional.empty());
    }

    private boolean named(Located directory, long start, boolean withFiles, EntryVisitor visitor) throws IOException {
        long cookie = start;
        while (true) {
            Snapshots.@Nullable Part kept = cookie == PARENT ? null : snapshots.after(directory.inode(), cookie);
            if (kept == null) {
                Read read = read(directory, cookie);
                kept = read.part();
                if (kept.entries().size() > READ_AT_ONCE) {
                    snapshots.keep(directory.inode(), kept);
                }
                if (!takeAll(read.files(), withFiles, visitor)) {
                    return false;
                }
            } else if (!takeAllNamed(directory, kept.entriesAfter(cookie), withFiles, visitor)) {
                return false;
            }
            if (kept.complete()) {
                return true;
            }
            cookie = kept.last();
        }
    }

    private boolean takeAll(List<HdfsFileStatus> files, boolean withFiles, EntryVisitor visitor) {
        for (HdfsFileStatus file : files) {
            FileName name = new FileName(file.getLocalNameInBytes());
            if (!visitor.take(entry(name, file.getFileId(), tree.located(file), withFiles))) {
                return false;
            }
        }
        return true;
    }

    /** Takes names that were read for another page, with the attributes of now. */
    private boolean takeAllNamed(
            Located directory, List<Snapshots.Entry> entries, boolean withFiles, EntryVisitor visitor)
            throws IOException {
        for (Snapshots.Entry each : entries) {
            Optional<Located> file = tree.named(directory, each.name().toString());
            boolean same = file.isPresent() && file.get().inode() == each.inode();
            if (same && !visitor.take(entry(each.name(), each.inode(), file.get(), withFiles))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Files of a directory, as the name node just told, in order.
     *
     * @param complete whether there are none after these
     */
    private record Read(List<HdfsFileStatus> files, long after, boolean complete) {
        Snapshots.Part part() {
            return new Snapshots.Part(
                    after,
                    files.stream()
                            .map(file ->
                                    new Snapshots.Entry(file.getFileId(), new FileName(file.getLocalNameInBytes())))
                            .toList(),
                    complete);
        }
    }

    /** Reads the directory, and keeps of the files after a cookie as many as there is room for. */
    private Read read(Located directory, long after) throws IOException {
        List<HdfsFileStatus> files = new ArrayList<>();
        boolean complete = true;
        byte[] begin = HdfsFileStatus.EMPTY_NAME;
        DirectoryListing page;
        do {
            page = page(directory, begin);
            for (HdfsFileStatus file : page.getPartialListing()) {
                if (file.getFileId() > after) {
                    files.add(file);
                }
            }
            if (files.size() > 2 * snapshots.mostOfOne()) {
                complete = false;
                keepFirst(files);
            }
            begin = page.getLastName();
        } while (page.hasMore());
        complete &= files.size() <= snapshots.mostOfOne();
        keepFirst(files);
        return new Read(files, after, complete);
    }

    private DirectoryListing page(Located directory, byte[] after) throws IOException {
        @Nullable DirectoryListing page = client.listPaths(directory.path(), after);
        if (page == null) {
            throw new FileNotFoundException("inode " + directory.inode() + " is gone");
        }
        return page;
    }

    private void keepFirst(List<HdfsFileStatus> files) {
        files.sort(ORDER);
        if (files.size() > snapshots.mostOfOne()) {
            files.subList(snapshots.mostOfOne(), files.size()).clear();
        }
    }
}
