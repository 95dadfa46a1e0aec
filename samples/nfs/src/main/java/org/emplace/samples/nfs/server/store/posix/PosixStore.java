// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import org.emplace.samples.nfs.server.store.AttributeChange;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.Creation;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.FileType;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.Store.Limits;
import org.emplace.samples.nfs.server.store.Store.ReadableFile;
import org.emplace.samples.nfs.server.store.Store.WeakCacheConsistency;
import org.emplace.samples.nfs.server.store.Store.WriteVerifier;
import org.emplace.samples.nfs.server.store.posix.FileCreator.Umask;
import org.emplace.samples.nfs.server.store.posix.FileStatus.FileSystemStatus;
import org.emplace.samples.nfs.server.store.posix.Namespace.Locks;
import org.emplace.xdr.Payload;

/**
 * A directory tree of Linux as a store. Stays on the file system of its root: file systems mounted below cannot be reached. Like Linux's
 * server, it continues to serve a file that somebody on this machine moves out of the tree, to clients that already have its handle; but
 * ".." leads nowhere from there.
 */
public final class PosixStore implements Store {
    private final DirectoryTree tree;
    private final Rights rights;
    private final Contents contents;
    private final AttributeSetter setter;
    private final Namespace namespace;
    private final Directories directories;
    private final Limits limits;

    private PosixStore(DirectoryTree tree, Credentials credentials, PosixOptions options) throws IOException {
        Locks locks = new Locks();
        WriteVerifier verifier = new WriteVerifier();
        StableStorage stable = new StableStorage(options.durability(), verifier);
        this.tree = tree;
        this.rights = new Rights(credentials);
        this.contents = new Contents(tree, credentials, locks, verifier, options);
        this.setter = new AttributeSetter(tree, credentials, contents, locks, stable);
        FileCreator creator = new FileCreator(tree, credentials, Umask.ofProcess(), contents, setter);
        this.namespace = new Namespace(tree, credentials, creator, setter, contents, locks, stable);
        this.directories = new Directories(tree, credentials, options.listings());
        this.limits = FileSystemStatus.of(tree.root()).limits(tree.root(), credentials.act());
    }

    /**
     * Opens a tree.
     *
     * @param root its top directory
     * @throws IOException with a message of one line that says what to do, if this machine or file system lacks something that the store needs
     */
    public static PosixStore open(Path root, PosixOptions options) throws IOException {
        requireMachine();
        Credentials credentials = Credentials.of(options.callersAct());
        DirectoryTree tree = DirectoryTree.open(root, options, credentials);
        try {
            return new PosixStore(tree, credentials, options);
        } catch (IOException | RuntimeException e) {
            tree.close();
            throw e;
        }
    }

    private static void requireMachine() throws IOException {
        Architecture.ofThisMachine();
        if (!Files.exists(Path.of("/proc/self/fd"))) {
            throw new IOException("the posix store needs /proc, which is not mounted");
        }
        byte[] top = {'/', 0};
        try (Descriptor any = Descriptor.of(SystemCalls.open(top, SystemCalls.PATH_ONLY), "opening /")) {
            if (Errno.ENOSYS.is(SystemCalls.access(any.number(), SystemCalls.MAY_EXECUTE))) {
                throw new IOException(
                        "the posix store needs Linux 5.8 or newer, not " + System.getProperty("os.version"));
            }
        }
    }

    @Override
    public Limits limits() {
        return limits;
    }

    @Override
    public Space space() throws IOException {
        return FileSystemStatus.of(tree.root()).space();
    }

    @Override
    public FoundFile root() throws IOException {
        return file(tree.rootId());
    }

    @Override
    public FoundFile file(FileId file) throws IOException {
        try (FileNode node = tree.node(file)) {
            return new FoundFile(node.id(), node.attributes());
        }
    }

    @Override
    public FoundFile lookup(Caller caller, FileId directory, FileName name) throws IOException {
        return namespace.lookup(caller, directory, name);
    }

    @Override
    public AccessResult access(Caller caller, FileId file, int asked) throws IOException {
        try (FileNode node = tree.node(file)) {
            return new AccessResult(node.attributes(), rights.granted(caller, node, asked));
        }
    }

    @Override
    public byte[] readLink(FileId link) throws IOException {
        return namespace.readLink(link);
    }

    @Override
    public ReadableFile read(Caller caller, FileId file) throws IOException {
        return contents.read(caller, file);
    }

    @Override
    public WriteResult write(Caller caller, FileId file, long offset, Payload data, Stability stability)
            throws IOException {
        return contents.write(caller, file, offset, data, stability);
    }

    @Override
    public CommitResult commit(Caller caller, FileId file) throws IOException {
        return contents.commit(caller, file);
    }

    @Override
    public WriteResult copy(Caller caller, FileId from, long fromOffset, FileId to, long toOffset, int count)
            throws IOException {
        return contents.copy(caller, from, fromOffset, to, toOffset, count);
    }

    @Override
    public WeakCacheConsistency allocate(Caller caller, FileId file, long offset, long length) throws IOException {
        return setter.allocate(caller, file, offset, length, SystemCalls.ALLOCATE);
    }

    @Override
    public WeakCacheConsistency deallocate(Caller caller, FileId file, long offset, long length) throws IOException {
        return setter.allocate(caller, file, offset, length, SystemCalls.FREE);
    }

    @Override
    public WeakCacheConsistency setAttributes(
            Caller caller, FileId file, AttributeChange change, Optional<FileTime> guard) throws IOException {
        return setter.set(caller, file, change, guard);
    }

    @Override
    public CreationResult create(Caller caller, FileId directory, FileName name, Creation how) throws IOException {
        return namespace.create(caller, directory, name, how);
    }

    @Override
    public CreationResult makeDirectory(Caller caller, FileId directory, FileName name, AttributeChange wanted)
            throws IOException {
        return namespace.makeDirectory(caller, directory, name, wanted);
    }

    @Override
    public CreationResult makeSymbolicLink(
            Caller caller, FileId directory, FileName name, byte[] target, AttributeChange wanted) throws IOException {
        return namespace.makeSymbolicLink(caller, directory, name, target, wanted);
    }

    @Override
    public CreationResult makeNode(
            Caller caller, FileId directory, FileName name, FileType type, long device, AttributeChange wanted)
            throws IOException {
        return namespace.makeNode(caller, directory, name, type, device, wanted);
    }

    @Override
    public CreationResult link(Caller caller, FileId file, FileId directory, FileName name) throws IOException {
        return namespace.link(caller, file, directory, name);
    }

    @Override
    public WeakCacheConsistency remove(Caller caller, FileId directory, FileName name) throws IOException {
        return namespace.remove(caller, directory, name);
    }

    @Override
    public WeakCacheConsistency removeDirectory(Caller caller, FileId directory, FileName name) throws IOException {
        return namespace.removeDirectory(caller, directory, name);
    }

    @Override
    public RenameResult rename(
            Caller caller, FileId fromDirectory, FileName oldName, FileId toDirectory, FileName newName)
            throws IOException {
        return namespace.rename(caller, fromDirectory, oldName, toDirectory, newName);
    }

    @Override
    public ListingResult list(
            Caller caller, FileId directory, long cookie, long verifier, boolean withFiles, EntryVisitor visitor)
            throws IOException {
        return directories.list(caller, directory, cookie, verifier, withFiles, visitor);
    }

    @Override
    public void close() throws IOException {
        try {
            contents.close();
        } finally {
            directories.close();
            tree.close();
        }
    }
}
