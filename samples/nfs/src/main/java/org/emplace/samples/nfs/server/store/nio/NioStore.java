// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import static org.emplace.samples.nfs.server.store.nio.ErrorMapping.translated;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.emplace.samples.nfs.server.store.AttributeChange;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.Creation;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.Store.AccessRights;
import org.emplace.samples.nfs.server.store.Store.FileOperation;
import org.emplace.samples.nfs.server.store.Store.Limits;
import org.emplace.samples.nfs.server.store.Store.ReadableFile;
import org.emplace.samples.nfs.server.store.Store.WeakCacheConsistency;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.nio.NodeTree.Located;
import org.emplace.xdr.Payload;

/**
 * A store over a directory of any file system of Java. Every caller acts as the server's user, who owns all files. Its limits:
 *
 * <ul>
 * <li>Ids last until the store closes, for {@link NioOptions#nodes} files. If there are more, those of the client that uses most become stale, the least recently used first. So are those of files that other
 * programs have moved, until they are looked up again.
 * <li>Java opens files by path. The store compares each component of a path with the expected file before it uses the path, and clients cannot change
 * names in between. Programs on the server's own machine can: whoever may write below the directory can make the store follow a symbolic link, or
 * open a FIFO, by replacing a file at the right moment. If local users are not trusted, use another store.
 * <li>Files are distinguished by the file system's file keys, if it has them. If another program removes a file, and the file system gives its key to
 * a new file with the same name, the old id refers to the new file.
 * <li>Java names a file by its whole path, and the store compares each directory on it, so the price of an operation grows with the depth. Directories
 * more than {@value NodeTree#DEEPEST} levels below the root are NAMETOOLONG, and files whose paths the file system rejects cannot be reached either.
 * <li>Zip files are read only, because their file system writes them when it closes, and cannot rename directories. File systems that report that
 * they are read only are read only too.
 * <li>Hard and symbolic links need a file system with POSIX permissions. FIFOs, sockets and devices cannot be created, and owners cannot be changed.
 * Content needs {@link java.nio.channels.FileChannel}s; without them, reading and writing are NOTSUPP.
 * <li>The file system must move files atomically, and an open directory stream must stay at its directory when that is renamed.
 * </ul>
 */
public final class NioStore implements Store {
    private final FileStore fileStore;
    private final Abilities abilities;
    private final Limits limits;
    private final PathNames names;
    private final NodeTree tree;
    private final FileContents contents;
    private final Changes changes;
    private final DirectoryListings listings;

    private NioStore(Path root, Abilities abilities, NioOptions options, NamesLock lock) throws IOException {
        this.fileStore = Files.getFileStore(root);
        this.abilities = abilities;
        this.names = new PathNames(root.getFileSystem(), abilities.local());
        AttributeSource source = abilities.local() ? new UnixAttributes(root) : new PortableAttributes();
        this.tree = new NodeTree(root, source, options.nodes(), lock);
        this.contents = new FileContents(tree, abilities, options);
        this.changes = new Changes(tree, names, source, contents, abilities, options.durability());
        this.listings = new DirectoryListings(tree, names, options.listedNames());
        this.limits = new Limits(
                false,
                false,
                abilities.posix(),
                abilities.posix(),
                !abilities.readOnly(),
                abilities.readOnly(),
                abilities.posix() ? Changes.MOST_LINKS : 1,
                PathNames.LONGEST,
                options.largestFile());
    }

    /**
     * A store of everything in a directory.
     *
     * @throws NotDirectoryException if it is not a directory
     */
    public static NioStore open(Path directory, NioOptions options) throws IOException {
        return open(directory, options, new NamesLock());
    }

    /**
     * Like {@link #open(Path, NioOptions)}, for one of several stores whose directories may overlap.
     *
     * @param names the lock of the names, which these stores share, because a change of names in one could otherwise lead an operation of another
     *     outside its tree
     */
    public static NioStore open(Path directory, NioOptions options, NamesLock names) throws IOException {
        Path root = directory.toRealPath();
        if (!Files.isDirectory(root)) {
            throw new NotDirectoryException(directory.toString());
        }
        return new NioStore(root, Abilities.of(root), options, names);
    }

    @Override
    public Limits limits() {
        return limits;
    }

    /** Some file systems report more free space than their size. */
    @Override
    public Space space() throws IOException {
        return translated(() -> {
            long free = abilities.readOnly() ? 0 : fileStore.getUnallocatedSpace();
            long available = abilities.readOnly() ? 0 : Math.min(free, fileStore.getUsableSpace());
            return new Space(Math.max(fileStore.getTotalSpace(), free), free, available, 0, 0);
        });
    }

    @Override
    public FoundFile root() throws IOException {
        return translated(() -> tree.shared(() -> tree.root().found()));
    }

    @Override
    public FoundFile file(FileId file) throws IOException {
        return translated(() -> tree.shared(() -> tree.resolve(file).found()));
    }

    @Override
    public FoundFile lookup(Caller caller, FileId directory, FileName name) throws IOException {
        return translated(() -> tree.shared(() -> {
            Located in = tree.resolve(caller.peer(), directory).requireDirectory();
            return tree.child(in, names.name(name)).found();
        }));
    }

    @Override
    public AccessResult access(Caller caller, FileId file, int asked) throws IOException {
        return translated(() -> tree.shared(() -> {
            Located found = tree.resolve(file);
            return new AccessResult(found.attributes(), rights(found) & asked);
        }));
    }

    private int rights(Located file) {
        FileAttributes attributes = file.attributes();
        if (attributes.isSymbolicLink()) {
            return AccessRights.READ;
        }
        boolean directory = attributes.isDirectory();
        int rights = Files.isReadable(file.path()) ? AccessRights.READ : 0;
        if (!abilities.readOnly() && Files.isWritable(file.path())) {
            rights |= AccessRights.MODIFY | AccessRights.EXTEND | (directory ? AccessRights.DELETE : 0);
        }
        boolean executable = abilities.posix() ? Files.isExecutable(file.path()) : directory;
        return rights | (executable ? directory ? AccessRights.LOOKUP : AccessRights.EXECUTE : 0);
    }

    @Override
    public byte[] readLink(FileId link) throws IOException {
        return translated(() -> tree.shared(() -> {
            Located found = tree.resolve(link);
            if (!found.attributes().isSymbolicLink()) {
                throw new StoreException(Failure.INVAL, found.path() + " is not a symbolic link");
            }
            return names.targetBytes(Files.readSymbolicLink(found.path()));
        }));
    }

    @Override
    public ReadableFile read(Caller caller, FileId file) throws IOException {
        return translated(() -> contents.read(caller.peer(), file));
    }

    @Override
    public WriteResult write(Caller caller, FileId file, long offset, Payload data, Stability stability)
            throws IOException {
        return changing(() -> contents.write(caller.peer(), file, offset, data, stability));
    }

    @Override
    public CommitResult commit(Caller caller, FileId file) throws IOException {
        return changing(() -> contents.commit(caller.peer(), file));
    }

    @Override
    public WeakCacheConsistency setAttributes(
            Caller caller, FileId file, AttributeChange change, Optional<FileTime> guard) throws IOException {
        return changing(() -> changes.set(caller.peer(), file, change, guard));
    }

    @Override
    public CreationResult create(Caller caller, FileId directory, FileName name, Creation how) throws IOException {
        return changing(() -> changes.create(caller.peer(), directory, name, how));
    }

    @Override
    public CreationResult makeDirectory(Caller caller, FileId directory, FileName name, AttributeChange wanted)
            throws IOException {
        return changing(() -> changes.makeDirectory(caller.peer(), directory, name, wanted));
    }

    @Override
    public CreationResult makeSymbolicLink(
            Caller caller, FileId directory, FileName name, byte[] target, AttributeChange wanted) throws IOException {
        return changing(() -> changes.makeSymbolicLink(caller.peer(), directory, name, target, wanted));
    }

    @Override
    public CreationResult link(Caller caller, FileId file, FileId directory, FileName name) throws IOException {
        return changing(() -> changes.link(caller.peer(), file, directory, name));
    }

    @Override
    public WeakCacheConsistency remove(Caller caller, FileId directory, FileName name) throws IOException {
        return changing(() -> changes.remove(caller.peer(), directory, name, false));
    }

    @Override
    public WeakCacheConsistency removeDirectory(Caller caller, FileId directory, FileName name) throws IOException {
        return changing(() -> changes.remove(caller.peer(), directory, name, true));
    }

    @Override
    public RenameResult rename(
            Caller caller, FileId fromDirectory, FileName oldName, FileId toDirectory, FileName newName)
            throws IOException {
        return changing(() -> changes.rename(caller.peer(), fromDirectory, oldName, toDirectory, newName));
    }

    private <T> T changing(FileOperation<T> operation) throws IOException {
        if (abilities.readOnly()) {
            throw new StoreException(Failure.ROFS, "the file system is read only");
        }
        return translated(operation);
    }

    @Override
    public ListingResult list(
            Caller caller, FileId directory, long cookie, long verifier, boolean withFiles, EntryVisitor visitor)
            throws IOException {
        return translated(() -> listings.list(caller.peer(), directory, cookie, verifier, withFiles, visitor));
    }

    @Override
    public void close() throws IOException {
        contents.close();
    }

    /**
     * The capabilities of a file system, as far as they are known without trying.
     *
     * @param local whether it is the default file system on Unix, where names are bytes, files have holes, and directories can be opened
     * @param posix whether it has permissions, and with them links
     * @param readOnly whether nothing can be changed
     * @param archive whether it is a zip file
     */
    record Abilities(boolean local, boolean posix, boolean readOnly, boolean archive) {

        static Abilities of(Path root) throws IOException {
            FileSystem files = root.getFileSystem();
            Set<String> views = files.supportedFileAttributeViews();
            boolean local = files == FileSystems.getDefault() && File.separatorChar == '/' && views.contains("unix");
            // Zip files are written when their file system closes, and cannot rename directories.
            boolean archive = files.provider().getScheme().equals("jar");
            boolean readOnly =
                    archive || files.isReadOnly() || Files.getFileStore(root).isReadOnly();
            return new Abilities(local, views.contains("posix") && !archive, readOnly, archive);
        }

        /** The options to open a file with. An archive has no links, and rejects options about them. */
        Set<OpenOption> opening(StandardOpenOption access) {
            return archive ? Set.of(access) : Set.of(access, LinkOption.NOFOLLOW_LINKS);
        }
    }

    /**
     * The lock of the names in one or more trees: many operations use names at a time, or one changes them. Counts the changes that lead paths elsewhere.
     * Safe for use by several threads.
     */
    public static final class NamesLock {
        private final ReadWriteLock lock = new ReentrantReadWriteLock();

        /** The lock guards it. */
        private long directoryChanges;

        Lock using() {
            return lock.readLock();
        }

        Lock changing() {
            return lock.writeLock();
        }

        /** How often a directory has been moved or removed. The caller holds one of the locks. */
        long directoryChanges() {
            return directoryChanges;
        }

        /** Notes that a directory has been moved or removed. The caller holds the lock for changing names. */
        void directoryChanged() {
            directoryChanges++;
        }
    }
}
