// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.emplace.samples.nfs.path.PathBytes;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store.FileOperation;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.posix.FileLocator.HandleLocator;
import org.emplace.samples.nfs.server.store.posix.FileLocator.IndexLocator;

/**
 * The files below a root, on the root's mount: finds files by ids, and by names in directories. It returns files that are only located (O_PATH), so
 * that FIFOs do not block and devices are not touched. Safe for use by several threads.
 */
final class DirectoryTree implements Closeable {
    private final Descriptor root;
    private final FileId rootId;
    private final FileIds ids;
    private final Subtree subtree;
    private final FileLocator locator;
    private final Credentials credentials;

    private DirectoryTree(Descriptor root, PosixOptions options, Credentials credentials) throws IOException {
        this.root = root;
        this.ids = FileIds.of(root);
        this.rootId = ids.of(root, root.status());
        this.subtree = new Subtree(root, ids);
        this.locator = !options.index() && ids.areHandles() && HandleLocator.works(root, rootId)
                ? new HandleLocator(root, ids, options.located(), options.idle())
                : new IndexLocator(root, rootId, ids, options.names(), System::nanoTime);
        this.credentials = credentials;
    }

    static DirectoryTree open(Path directory, PosixOptions options, Credentials credentials) throws IOException {
        byte[] path = NameBytes.terminated(new FileName(PathBytes.of(directory.toRealPath())));
        int flags = SystemCalls.READ_ONLY | SystemCalls.DIRECTORY;
        Descriptor root = Descriptor.of(SystemCalls.open(path, flags), "opening " + directory);
        try {
            return new DirectoryTree(root, options, credentials);
        } catch (IOException | RuntimeException e) {
            Descriptor.closeAfter(e, root);
            throw e;
        }
    }

    /** The root's descriptor, which is open for reading. */
    Descriptor root() {
        return root;
    }

    FileId rootId() {
        return rootId;
    }

    /**
     * The file that an id names.
     *
     * @throws StoreException of BADHANDLE, STALE or JUKEBOX
     */
    FileNode node(FileId id) throws IOException {
        credentials.requireIdentity();
        ids.require(id);
        Descriptor file = locator.open(id);
        try {
            FileAttributes attributes = file.attributes();
            if (attributes.links() == 0) {
                throw new StoreException(Failure.STALE, "the file has been removed: " + id);
            }
            return new FileNode(id, file, attributes);
        } catch (IOException | RuntimeException e) {
            Descriptor.closeAfter(e, file);
            locator.forget(id);
            throw e;
        }
    }

    FileNode directory(FileId id) throws IOException {
        return node(id).requireDirectory();
    }

    /** Makes a node that owns a descriptor. Closes the descriptor if that fails. */
    FileNode node(Descriptor file) throws IOException {
        try {
            FileStatus status = file.status();
            return new FileNode(ids.of(file, status), file, status.attributes());
        } catch (IOException | RuntimeException e) {
            Descriptor.closeAfter(e, file);
            throw e;
        }
    }

    /** The entry of a directory with a name, for a caller; "." and ".." are entries. */
    FileNode lookup(Caller caller, FileNode directory, FileName name) throws IOException {
        byte[] bytes = NameBytes.require(name);
        if (NameBytes.isParent(bytes)) {
            return directory.id().equals(rootId)
                    ? located(caller, directory, NameBytes.SELF)
                    : parent(caller, directory);
        }
        if (NameBytes.isSelf(bytes)) {
            return located(caller, directory, bytes);
        }
        return locator.whileNothingMoves(() -> {
            FileNode found = located(caller, directory, bytes);
            locator.seen(found.id(), directory.id(), name);
            return found;
        });
    }

    private FileNode located(Caller caller, FileNode directory, byte[] name) throws IOException {
        return node(opened(credentials.call(caller, () -> SystemCalls.locate(directory.number(), name))));
    }

    private static Descriptor opened(long result) throws IOException {
        if (Errno.EXDEV.is(result)) {
            throw new StoreException(Failure.ACCES, "another file system is mounted there, which is not exported");
        }
        return Descriptor.of(result, "looking up a name");
    }

    /** The inode number of a directory's parent; the directory's own if the caller cannot reach the parent. */
    long parentsNumber(Caller caller, FileNode directory) throws IOException {
        long own = directory.attributes().number();
        if (directory.id().equals(rootId)) {
            return own;
        }
        long opened = credentials.call(caller, () -> SystemCalls.locateParent(directory.number()));
        if (opened < 0) {
            return own;
        }
        try (Descriptor parent = new Descriptor((int) opened)) {
            return parent.attributes().number();
        }
    }

    /** The parent of a directory. A directory that was moved out of the tree has a parent outside, which is not reachable. */
    private FileNode parent(Caller caller, FileNode directory) throws IOException {
        long opened = credentials.call(caller, () -> SystemCalls.locateParent(directory.number()));
        FileNode parent = node(Descriptor.of(opened, "looking up the parent"));
        try {
            subtree.require(parent);
            return parent;
        } catch (IOException e) {
            Descriptor.closeAfter(e, parent.descriptor());
            throw e;
        }
    }

    /** The entry of a directory with a name, found as the server's user. */
    FileNode entry(FileNode directory, FileName name) throws IOException {
        return locator.whileNothingMoves(() -> {
            FileNode found = node(opened(SystemCalls.locate(directory.number(), NameBytes.terminated(name))));
            locator.seen(found.id(), directory.id(), name);
            return found;
        });
    }

    /** As {@link #entry}, but opens the file only if it must. */
    FoundFile found(FileNode directory, FileName name) throws IOException {
        byte[] bytes = NameBytes.terminated(name);
        Optional<FoundFile> seen = locator.whileNothingMoves(() -> {
            Optional<FoundFile> found = ids.ofEntry(directory.descriptor(), bytes);
            found.ifPresent(file -> locator.seen(file.id(), directory.id(), name));
            return found;
        });
        if (seen.isPresent()) {
            return seen.get();
        }
        try (FileNode opened = entry(directory, name)) {
            return new FoundFile(opened.id(), opened.attributes());
        }
    }

    /** Records where a file is that the caller has just created. The caller holds the directory's lock. */
    void made(FileNode file, FileNode directory, FileName name) {
        locator.seen(file.id(), directory.id(), name);
    }

    /** Records that a file has lost this name, which may be its last. */
    void lost(FileNode file, FileNode directory, FileName name, boolean last) {
        locator.lost(file.id(), directory.id(), name);
        if (last) {
            locator.removed(file.id());
        }
    }

    /** Runs an action that renames a file and records the new name here. */
    <T> T moving(FileOperation<T> action) throws IOException {
        return locator.moving(action);
    }

    /** Records that a file was renamed. */
    void moved(FileNode file, FileNode from, FileName oldName, FileNode to, FileName newName) {
        locator.lost(file.id(), from.id(), oldName);
        locator.seen(file.id(), to.id(), newName);
        if (file.attributes().isDirectory()) {
            locator.moved(file.id());
        }
    }

    @Override
    public void close() throws IOException {
        try (root) {
            locator.close();
        }
    }
}
