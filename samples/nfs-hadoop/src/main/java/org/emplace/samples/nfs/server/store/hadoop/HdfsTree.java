// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.FileType;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.hadoop.Listings.NumberedFiles;
import org.jspecify.annotations.Nullable;

/**
 * Finds files by id. An id is the number of an inode, which HDFS never uses for another file, and which can be part of a path:
 * {@code /.reserved/.inodes/16390/name}. So ids survive renames and restarts, and end with their files. New files have the largest numbers. Safe for
 * use by several threads.
 */
final class HdfsTree implements NumberedFiles {
    private static final String INODES = "/.reserved/.inodes/";
    private static final String TOP = "/";

    /** The most directories that the name node is asked for to tell whether another one is below the root. It is asked for each. */
    private static final int MOST_CLIMBED = 64;

    private final DFSClient client;
    private final Accounts accounts;
    private final Writers writers;
    private final RecentFiles recent = new RecentFiles();
    private final long root;
    private final long top;

    /** @param directory that is exported, an absolute path of the file system */
    HdfsTree(DFSClient client, Accounts accounts, Writers writers, String directory) throws IOException {
        this.client = client;
        this.accounts = accounts;
        this.writers = writers;
        @Nullable HdfsFileStatus exported = client.getFileInfo(directory);
        if (exported == null) {
            throw new FileNotFoundException(directory + ": no such directory in HDFS");
        }
        if (!exported.isDirectory()) {
            throw new IOException(directory + ": not a directory in HDFS");
        }
        this.root = exported.getFileId();
        this.top = directory.equals(TOP)
                ? root
                : Optional.ofNullable(client.getFileInfo(TOP)).orElseThrow().getFileId();
    }

    /** A file in the state in which an operation found it. */
    record Located(long inode, FileAttributes attributes) {
        FileId id() {
            return new FileId(ByteBuffer.allocate(Long.BYTES).putLong(inode).array());
        }

        FoundFile found() {
            return new FoundFile(id(), attributes);
        }

        String path() {
            return HdfsTree.path(inode);
        }

        /** The path of a directory's entry. */
        String path(String name) {
            return path() + "/" + name;
        }

        Located requireDirectory() throws StoreException {
            attributes.requireDirectory(path());
            return this;
        }

        Located requireRegular() throws StoreException {
            attributes.requireRegular(path());
            return this;
        }
    }

    /** A path that leads to an inode, whatever its name. */
    static String path(long inode) {
        return INODES + inode;
    }

    /** The same as a path of Hadoop's interface. */
    static Path hadoopPath(long inode) {
        return new Path(path(inode));
    }

    /** The exported directory. */
    Located root() throws IOException {
        return locate(root);
    }

    /** The inode of an id. It may no longer exist. */
    static long inode(FileId id) throws StoreException {
        byte[] bytes = id.bytes();
        long inode = bytes.length == Long.BYTES ? ByteBuffer.wrap(bytes).getLong() : -1;
        if (inode <= 0) {
            throw new StoreException(Failure.BADHANDLE, "not an id of this store: " + id);
        }
        return inode;
    }

    /**
     * The file of an id, with its current attributes.
     *
     * @throws StoreException of STALE if it is gone
     */
    Located resolve(FileId id) throws IOException {
        return locate(inode(id));
    }

    /** The file of an id, with attributes that may be slightly old: for READ, whose data may be as old. */
    Located recent(FileId id) throws IOException {
        long inode = inode(id);
        Optional<Located> known = recent.find(inode, writers.closings());
        return known.isPresent() ? known.get() : locate(inode);
    }

    /** Drops a file that is gone. */
    void forget(long inode) {
        recent.forget(inode);
    }

    /** An inode's file, with its current attributes. */
    Located locate(long inode) throws IOException {
        return existing(inode).orElseThrow(() -> new StoreException(Failure.STALE, "inode " + inode + " is gone"));
    }

    /** The file with its current attributes, if it exists. */
    Optional<Located> existing(long inode) throws IOException {
        return at(path(inode));
    }

    /** The entry of a directory; the directory itself for ".", its parent for "..". */
    Located child(Located directory, String name) throws IOException {
        return switch (name) {
            case "." -> directory;
            case ".." -> parent(directory);
            default ->
                named(directory, name)
                        .orElseThrow(() -> new StoreException(
                                Failure.NOENT, "inode " + directory.inode() + " has no name " + name));
        };
    }

    /** The entry of a directory, if there is one. The name is not "." or "..". */
    Optional<Located> named(Located directory, String name) throws IOException {
        return at(directory.path(name));
    }

    /**
     * The parent of a directory; of the root, the root.
     *
     * @throws StoreException of STALE if the directory is no longer below the root, so that clients never leave the tree, or is more than
     *     {@value #MOST_CLIMBED} levels below it
     */
    Located parent(Located directory) throws IOException {
        if (directory.inode() == root) {
            return directory;
        }
        Located parent = above(directory);
        Located step = parent;
        for (int climbed = 1; step.inode() != root && root != top; climbed++) {
            if (step.inode() == top || climbed == MOST_CLIMBED) {
                throw new StoreException(
                        Failure.STALE,
                        "inode " + directory.inode() + " is not below the exported directory, or too far below it");
            }
            step = above(step);
        }
        return parent;
    }

    private Located above(Located directory) throws IOException {
        return at(directory.path(".."))
                .orElseThrow(
                        () -> new StoreException(Failure.STALE, "inode " + directory.inode() + " has lost its parent"));
    }

    private Optional<Located> at(String path) throws IOException {
        while (true) {
            long closings = writers.closings();
            long asked = System.nanoTime();
            Optional<Located> found = status(path).map(this::located);
            if (writers.closings() == closings) {
                found.ifPresent(file -> recent.keep(file, asked, closings));
                return found;
            }
        }
    }

    private Optional<HdfsFileStatus> status(String path) throws IOException {
        try {
            return Optional.ofNullable(client.getFileInfo(path));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    /** A file from a reply of the name node. */
    private Located located(HdfsFileStatus status) {
        return new Located(status.getFileId(), writers.asWritten(status.getFileId(), attributes(status)));
    }

    /** HDFS has no time of the last change of attributes, and does not report the disk space of a file. */
    private FileAttributes attributes(HdfsFileStatus status) {
        FileTime modified = FileTime.fromMillis(status.getModificationTime());
        FileType type = status.isDirectory()
                ? FileType.DIRECTORY
                : status.isSymlink() ? FileType.SYMBOLIC_LINK : FileType.REGULAR;
        return new FileAttributes(
                status.getFileId(),
                type,
                status.getPermission().toShort(),
                type == FileType.DIRECTORY ? 2 : 1,
                accounts.uid(status.getOwner()),
                accounts.gid(status.getGroup()),
                status.getLen(),
                status.getLen(),
                0,
                FileTime.fromMillis(status.getAccessTime()),
                modified,
                modified);
    }

    private static Located located(FoundFile file) {
        return new Located(file.attributes().number(), file.attributes());
    }

    @Override
    public FoundFile directory(FileId id) throws IOException {
        return resolve(id).requireDirectory().found();
    }

    /** A parent other than the root is known to be below it only if everything is. */
    @Override
    public Parent parent(FoundFile directory) throws IOException {
        Located found = located(directory);
        Located parent = found.inode() == root ? found : above(found);
        return parent.inode() == root || root == top
                ? Parent.of(parent.found())
                : new Parent(parent.inode(), Optional.empty());
    }

    @Override
    public Optional<FoundFile> named(FoundFile directory, FileName name) throws IOException {
        return named(located(directory), name.toString()).map(Located::found);
    }

    @Override
    public void each(FoundFile directory, long after, Taker taker) throws IOException {
        byte[] begin = HdfsFileStatus.EMPTY_NAME;
        DirectoryListing page;
        do {
            page = page(located(directory), begin);
            for (HdfsFileStatus file : page.getPartialListing()) {
                if (file.getFileId() > after) {
                    taker.accept(new Named(
                            new FileName(file.getLocalNameInBytes()),
                            located(file).found()));
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

    /**
     * The attributes that the name node recently reported. Asking it for every READ would take longer than reading the data. A client never sees
     * attributes older than those it has seen before, because each answer of the name node replaces the one before. Safe for use by several threads.
     */
    private static final class RecentFiles {
        private static final int MOST = 4096;

        /** The longest time for which READs may miss another Hadoop client's change. */
        private static final Duration LONGEST = Duration.ofMillis(100);

        /**
         * A file with the time of its state: the clock, and the number of files that this store had closed, because closing a file changes the name
         * node's answer.
         */
        private record Known(Located file, long nanoTime, long closings) {}

        private final Map<Long, Known> known = new LinkedHashMap<>(64, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, Known> eldest) {
                return size() > MOST;
            }
        };

        /**
         * Keeps the name node's answer.
         *
         * @param asked the time before the request
         */
        synchronized void keep(Located file, long asked, long closings) {
            known.put(file.inode(), new Known(file, asked, closings));
        }

        /** A file in a recent state, if known. */
        synchronized Optional<Located> find(long inode, long closings) {
            return Optional.ofNullable(known.get(inode))
                    .filter(each ->
                            each.closings() == closings && System.nanoTime() - each.nanoTime() < LONGEST.toNanos())
                    .map(Known::file);
        }

        /** Forgets a file that is gone. */
        synchronized void forget(long inode) {
            known.remove(inode);
        }
    }
}
