// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import static org.emplace.samples.nfs.server.store.hadoop.HdfsFailures.translated;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.SecureRandom;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.security.AccessControlException;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.Store.AccessRights;
import org.emplace.samples.nfs.server.store.Store.Limits;
import org.emplace.samples.nfs.server.store.Store.ReadableFile;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;

/**
 * A store over a directory of any of Hadoop's file systems, for reading only. It uses what {@link FileSystem} guarantees for all of them. Every
 * caller acts as the server's Hadoop user. An id stands for a path: ids become stale if the file is renamed, if the server restarts, and if they have
 * not been used for long.
 */
public final class ReadOnlyHadoopStore implements Store {
    private static final int PATHS = 1 << 19;
    private static final int LISTED_FILES = 1 << 18;
    private static final int BYTES_OF_A_FILE = 1024;

    private final FileSystem files;
    private final PathTree tree;
    private final Readers<FileId> readers;
    private final Listings listings;
    private final Limits limits =
            new Limits(false, false, false, false, false, true, 1, HdfsNames.LONGEST, Long.MAX_VALUE);

    private ReadOnlyHadoopStore(FileSystem files, PathTree tree, HadoopOptions options) {
        this.files = files;
        this.tree = tree;
        this.readers = new Readers<>(id -> files.open(tree.path(id)), options);
        this.listings = new Listings(
                tree, new SecureRandom().nextLong(), false, Listings.fitting(LISTED_FILES, BYTES_OF_A_FILE));
    }

    /**
     * A store of everything in a directory. Users and groups have the numbers that this machine gives their names.
     *
     * @throws IOException also if Hadoop knows no file system for the URI's scheme
     */
    public static ReadOnlyHadoopStore open(URI directory, Configuration configuration, HadoopOptions options)
            throws IOException {
        FileSystem files = FileSystem.newInstance(directory, configuration);
        try {
            Path root = new Path(directory.getPath().isEmpty() ? directory.resolve("/") : directory);
            PathTree tree = new PathTree(files, Accounts.ofThisMachine(), root, PATHS);
            return new ReadOnlyHadoopStore(files, tree, options);
        } catch (IOException | RuntimeException e) {
            files.close();
            throw e;
        }
    }

    @Override
    public Limits limits() {
        return limits;
    }

    @Override
    public Space space() throws IOException {
        return translated(() -> new Space(Math.max(0, files.getStatus().getCapacity()), 0, 0, 0, 0));
    }

    @Override
    public FoundFile root() throws IOException {
        return translated(tree::root);
    }

    @Override
    public FoundFile file(FileId file) throws IOException {
        return translated(() -> tree.resolve(file));
    }

    @Override
    public FoundFile lookup(Caller caller, FileId directory, FileName name) throws IOException {
        return translated(() -> {
            FoundFile in = tree.directory(directory);
            return switch (HdfsNames.of(name)) {
                case "." -> in;
                case ".." -> tree.above(in);
                default ->
                    tree.named(in, name)
                            .orElseThrow(() -> new StoreException(Failure.NOENT, "no file has the name " + name));
            };
        });
    }

    @Override
    public AccessResult access(Caller caller, FileId file, int asked) throws IOException {
        return translated(() -> {
            FoundFile found = tree.resolve(file);
            int rights = allowed(file, FsAction.READ) ? AccessRights.READ : 0;
            if (found.attributes().isDirectory()) {
                rights |= allowed(file, FsAction.EXECUTE) ? AccessRights.LOOKUP : 0;
            } else if ((found.attributes().mode() & 0111) != 0) {
                rights |= rights == 0 ? 0 : AccessRights.EXECUTE;
            }
            return new AccessResult(found.attributes(), rights & asked);
        });
    }

    private boolean allowed(FileId file, FsAction action) throws IOException {
        try {
            files.access(tree.path(file), action);
            return true;
        } catch (AccessControlException e) {
            return false;
        }
    }

    @Override
    public byte[] readLink(FileId link) throws IOException {
        return translated(() -> {
            tree.resolve(link);
            throw new StoreException(Failure.NOTSUPP, "symbolic links are not read");
        });
    }

    @Override
    public ReadableFile read(Caller caller, FileId file) throws IOException {
        return translated(() -> {
            FileAttributes attributes = tree.resolve(file).attributes();
            attributes.requireRegular(tree.path(file));
            return new Reading(caller.peer(), file, attributes);
        });
    }

    /** A file in the state in which a call found it, open for that call. */
    private final class Reading implements ReadableFile {
        private final Object peer;
        private final FileId id;
        private final FileAttributes attributes;

        Reading(Object peer, FileId id, FileAttributes attributes) {
            this.peer = peer;
            this.id = id;
            this.attributes = attributes;
        }

        @Override
        public int read(ByteBuffer destination, long offset) throws IOException {
            return translated(() -> {
                int start = destination.position();
                if (offset < attributes.size()) {
                    readers.read(peer, id, attributes.modified(), attributes.size(), destination, offset);
                }
                return destination.position() - start;
            });
        }

        @Override
        public Optional<FileChannel> channel() {
            return Optional.empty();
        }

        @Override
        public FileAttributes attributes() {
            return attributes;
        }

        @Override
        public void close() {}
    }

    @Override
    public ListingResult list(
            Caller caller, FileId directory, long cookie, long verifier, boolean withFiles, EntryVisitor visitor)
            throws IOException {
        return translated(() -> listings.list(caller.peer(), directory, cookie, verifier, withFiles, visitor));
    }

    @Override
    public void close() throws IOException {
        readers.close();
        files.close();
    }
}
