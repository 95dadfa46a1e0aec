// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.emplace.samples.nfs.server.store.AttributeChange;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.Creation;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.FileType;
import org.emplace.samples.nfs.server.store.Store.CreationResult;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.emplace.samples.nfs.server.store.Store.RenameResult;
import org.emplace.samples.nfs.server.store.Store.WeakCacheConsistency;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.StripedLocks;
import org.jspecify.annotations.Nullable;

/** Finds, creates, renames and removes files by name, relative to descriptors of their directories. */
record Namespace(
        DirectoryTree tree,
        Credentials credentials,
        FileCreator creator,
        AttributeSetter setter,
        Contents contents,
        Locks locks,
        StableStorage stable) {
    private static final int LONGEST_TARGET = 4096;

    FoundFile lookup(Caller caller, FileId directory, FileName name) throws IOException {
        try (FileNode in = tree.directory(directory);
                FileNode found = tree.lookup(caller, in, name)) {
            return new FoundFile(found.id(), found.attributes());
        }
    }

    byte[] readLink(FileId id) throws IOException {
        try (FileNode link = tree.node(id)) {
            if (!link.attributes().isSymbolicLink()) {
                throw new StoreException(Failure.INVAL, "not a symbolic link: " + id);
            }
            byte[] target = new byte[LONGEST_TARGET];
            long length = Errno.check(SystemCalls.readLink(link.number(), target), "reading a symbolic link");
            return Arrays.copyOf(target, (int) length);
        }
    }

    CreationResult create(Caller caller, FileId directory, FileName name, Creation how) throws IOException {
        Optional<Long> size = how instanceof Creation.Unchecked unchecked
                ? unchecked.attributes().size()
                : Optional.empty();
        AtomicBoolean made = new AtomicBoolean();
        return make(
                directory,
                name,
                (in, bytes) -> {
                    FileCreator.Outcome outcome = creator.file(caller, in, name, bytes, how);
                    made.set(outcome.made());
                    return outcome.file();
                },
                file -> {
                    // A file that was just created already has its size, and is open.
                    if (made.get()) {
                        stable.commit(file.descriptor());
                    } else if (size.isPresent()) {
                        setter.resize(caller, file, size.get());
                    }
                });
    }

    CreationResult makeDirectory(Caller caller, FileId directory, FileName name, AttributeChange wanted)
            throws IOException {
        return make(
                directory,
                name,
                (in, bytes) -> creator.directory(caller, in, name, bytes, wanted),
                made -> stable.commitMade(made));
    }

    CreationResult makeSymbolicLink(
            Caller caller, FileId directory, FileName name, byte[] target, AttributeChange wanted) throws IOException {
        return make(directory, name, (in, bytes) -> creator.symbolicLink(caller, in, name, bytes, target, wanted));
    }

    CreationResult makeNode(
            Caller caller, FileId directory, FileName name, FileType type, long device, AttributeChange wanted)
            throws IOException {
        return make(directory, name, (in, bytes) -> creator.node(caller, in, name, bytes, type, device, wanted));
    }

    /** Finds the file before locking the directory, because finding it may require a search. */
    CreationResult link(Caller caller, FileId id, FileId directory, FileName name) throws IOException {
        try (FileNode file = tree.node(id)) {
            if (file.attributes().isDirectory()) {
                throw new StoreException(Failure.INVAL, "directories cannot be linked: " + id);
            }
            return make(directory, name, (in, bytes) -> {
                long result = credentials.call(caller, () -> SystemCalls.link(file.number(), in.number(), bytes));
                Errno.check(result, "linking");
                tree.made(file, in, name);
                return file;
            });
        }
    }

    /** Creates a name in a directory, whose lock is held. */
    private interface Making {
        FileNode make(FileNode directory, byte[] name) throws IOException;
    }

    /** Work on a file after the lock has been released, because it may take long. */
    private interface Finishing {
        void finish(FileNode file) throws IOException;
    }

    private CreationResult make(FileId directory, FileName name, Making making) throws IOException {
        return make(directory, name, making, file -> {});
    }

    private CreationResult make(FileId directory, FileName name, Making making, Finishing finishing)
            throws IOException {
        byte[] bytes = NameBytes.require(name, Failure.EXIST, Failure.EXIST);
        try (FileNode in = tree.directory(directory);
                Descriptor committed = stable.open(in)) {
            FileNode file = null;
            WeakCacheConsistency change;
            try {
                synchronized (locks.of(in)) {
                    FileAttributes before = in.now();
                    file = making.make(in, bytes);
                    change = change(before, in);
                }
                finishing.finish(file);
                stable.commit(committed);
                return new CreationResult(file.foundNow(), change);
            } finally {
                if (file != null) {
                    file.close();
                }
            }
        }
    }

    private static WeakCacheConsistency change(FileAttributes before, FileNode directory) throws IOException {
        return new WeakCacheConsistency(Optional.of(before), Optional.of(directory.now()));
    }

    WeakCacheConsistency remove(Caller caller, FileId directory, FileName name) throws IOException {
        return remove(caller, directory, name, SystemCalls::remove);
    }

    WeakCacheConsistency removeDirectory(Caller caller, FileId directory, FileName name) throws IOException {
        return remove(caller, directory, name, SystemCalls::removeDirectory);
    }

    /** A system call that removes a name. */
    private interface Removing {
        long remove(int directory, byte[] name);
    }

    private WeakCacheConsistency remove(Caller caller, FileId directory, FileName name, Removing removing)
            throws IOException {
        byte[] bytes = NameBytes.require(name, Failure.INVAL, Failure.EXIST);
        try (FileNode in = tree.directory(directory);
                Descriptor committed = stable.open(in)) {
            WeakCacheConsistency change;
            synchronized (locks.of(in)) {
                FileAttributes before = in.now();
                try (FileNode file = existing(in, name)) {
                    long result = credentials.call(caller, () -> removing.remove(in.number(), bytes));
                    Errno.check(result, "removing");
                    forget(file, in, name);
                }
                change = change(before, in);
            }
            stable.commit(committed);
            return change;
        }
    }

    /** The file that has a name now; null if there is none. In that case the kernel reports why the operation fails. */
    private @Nullable FileNode existing(FileNode directory, FileName name) throws IOException {
        try {
            return tree.entry(directory, name);
        } catch (StoreException e) {
            return null;
        }
    }

    /** Records that the file has lost a name. */
    private void forget(@Nullable FileNode file, FileNode directory, FileName name) throws IOException {
        if (file != null) {
            boolean last = file.now().links() == 0;
            tree.lost(file, directory, name, last);
            if (last) {
                contents.forget(file.id());
            }
        }
    }

    RenameResult rename(Caller caller, FileId fromDirectory, FileName oldName, FileId toDirectory, FileName newName)
            throws IOException {
        byte[] old = NameBytes.require(oldName, Failure.INVAL, Failure.INVAL);
        byte[] fresh = NameBytes.require(newName, Failure.INVAL, Failure.INVAL);
        try (FileNode from = tree.directory(fromDirectory);
                FileNode to = tree.directory(toDirectory);
                Descriptor committedFrom = stable.open(from);
                Descriptor committedTo = stable.open(to)) {
            FileId first = locks.directories().first(from.id(), to.id());
            FileId second = first.equals(from.id()) ? to.id() : from.id();
            RenameResult renamed;
            synchronized (locks.directories().of(first)) {
                synchronized (locks.directories().of(second)) {
                    FileAttributes beforeFrom = from.now();
                    FileAttributes beforeTo = to.now();
                    try (FileNode moved = existing(from, oldName);
                            FileNode replaced = existing(to, newName)) {
                        tree.moving(() -> {
                            requireRenamed(credentials.call(
                                    caller, () -> SystemCalls.rename(from.number(), old, to.number(), fresh)));
                            noteRename(moved, from, oldName, replaced, to, newName);
                            return true;
                        });
                    }
                    renamed = new RenameResult(change(beforeFrom, from), change(beforeTo, to));
                }
            }
            stable.commit(committedTo);
            if (!from.id().equals(to.id())) {
                stable.commit(committedFrom);
            }
            return renamed;
        }
    }

    /** Throws if a file that already has the new name is of another type (RFC 1813 section 3.3.14). */
    private static void requireRenamed(long result) throws IOException {
        if (Errno.ENOTDIR.is(result) || Errno.EISDIR.is(result)) {
            throw new StoreException(Failure.EXIST, "the file with the new name has another type");
        }
        Errno.check(result, "renaming");
    }

    private void noteRename(
            @Nullable FileNode moved,
            FileNode from,
            FileName oldName,
            @Nullable FileNode replaced,
            FileNode to,
            FileName newName)
            throws IOException {
        boolean onTwoNamesOfOneFile =
                moved != null && replaced != null && moved.id().equals(replaced.id());
        if (!onTwoNamesOfOneFile) {
            forget(replaced, to, newName);
            if (moved != null) {
                tree.moved(moved, from, oldName, to, newName);
            }
        }
    }

    /**
     * Locks that make the attributes before and after an operation consistent, because no other client's operation comes between them. A thread that
     * holds a directory's lock may take a file's, but not the other way around.
     */
    record Locks(StripedLocks directories, StripedLocks files) {
        Locks() {
            this(new StripedLocks(), new StripedLocks());
        }

        Object of(FileNode file) {
            return (file.attributes().isDirectory() ? directories : files).of(file.id());
        }
    }
}
