// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.emplace.samples.nfs.server.store.AttributeChange;
import org.emplace.samples.nfs.server.store.AttributeChange.NewTime;
import org.emplace.samples.nfs.server.store.Creation;
import org.emplace.samples.nfs.server.store.Failure;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.FileOperation;
import org.emplace.samples.nfs.server.store.FileType;
import org.emplace.samples.nfs.server.store.Store.CreationResult;
import org.emplace.samples.nfs.server.store.Store.RenameResult;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StripedLocks;
import org.emplace.samples.nfs.server.store.WeakCacheConsistency;
import org.emplace.samples.nfs.server.store.hadoop.HdfsTree.Located;

/**
 * Creates, renames and removes files, and sets their attributes. Runs one creation or removal at a time in each directory, and one rename
 * at a time in the whole store. Safe for use by several threads.
 */
final class HdfsChanges {
    private static final int FILE_BITS = 0777;
    private static final int DIRECTORY_BITS = 01777;
    private static final int BUFFER = 1 << 12;

    private final DFSClient client;
    private final HdfsTree tree;
    private final HdfsContents contents;
    private final Accounts accounts;
    private final StripedLocks directories = new StripedLocks();
    private final StripedLocks files = new StripedLocks();
    private final ReadWriteLock renames = new ReentrantReadWriteLock();

    HdfsChanges(DFSClient client, HdfsTree tree, HdfsContents contents, Accounts accounts) {
        this.client = client;
        this.tree = tree;
        this.contents = contents;
        this.accounts = accounts;
    }

    private <T> T locked(Lock lock, FileOperation<T> operation) throws IOException {
        lock.lock();
        try {
            return operation.run();
        } finally {
            lock.unlock();
        }
    }

    /** Creates or finds a file in a directory. */
    private interface Making {
        Located make(Located directory, String name) throws IOException;
    }

    private CreationResult make(FileId directory, FileName name, Making making) throws IOException {
        return locked(renames.readLock(), () -> {
            synchronized (directories.of(directory)) {
                Located in = tree.resolve(directory).requireDirectory();
                String text = HdfsNames.of(name);
                if (HdfsNames.isDots(text)) {
                    throw new StoreException(Failure.EXIST, "every directory has '" + text + "'");
                }
                Located made = making.make(in, text);
                return new CreationResult(made.found(), change(in));
            }
        });
    }

    /** A directory before and after an operation. */
    private WeakCacheConsistency change(Located before) throws IOException {
        return new WeakCacheConsistency(
                Optional.of(before.attributes()), tree.existing(before.inode()).map(Located::attributes));
    }

    CreationResult create(FileId directory, FileName name, Creation how) throws IOException {
        AttributeChange wanted = how.attributes();
        return make(directory, name, (in, text) -> {
            Optional<Located> existing = tree.named(in, text);
            if (existing.isPresent()) {
                requireTakeable(existing.get(), how);
                if (wanted.size().isPresent()) {
                    contents.resize(existing.get(), wanted.size().get());
                }
                return tree.locate(existing.get().inode());
            }
            Located made = file(in, text, wanted.mode().orElse(FileType.REGULAR.defaultMode()));
            return finished(in, text, made, wanted);
        });
    }

    private static void requireTakeable(Located file, Creation how) throws StoreException {
        if (!how.takes(file.attributes())) {
            throw new StoreException(Failure.EXIST, "the name is taken by inode " + file.inode());
        }
    }

    /** A new file, empty and closed: its stream is opened when it is written to. */
    private Located file(Located directory, String name, int mode) throws IOException {
        FsServerDefaults defaults = client.getServerDefaults();
        client.create(
                        directory.path(name),
                        permission(mode, FILE_BITS),
                        EnumSet.of(CreateFlag.CREATE),
                        false,
                        client.getConf().getDefaultReplication(),
                        Math.max(client.getConf().getDefaultBlockSize(), defaults.getBytesPerChecksum()),
                        null,
                        BUFFER,
                        null)
                .close();
        return tree.child(directory, name);
    }

    /** Sets the attributes that a new file was not created with. If that fails, removes the file again. */
    private Located finished(Located directory, String name, Located made, AttributeChange wanted) throws IOException {
        AttributeChange left = wanted.withoutMode();
        if (left.equals(AttributeChange.NONE)) {
            return made;
        }
        try {
            apply(made, left);
            return tree.locate(made.inode());
        } catch (IOException | RuntimeException e) {
            contents.forget(made.inode());
            client.delete(directory.path(name), false);
            throw e;
        }
    }

    CreationResult makeDirectory(FileId directory, FileName name, AttributeChange wanted) throws IOException {
        return make(directory, name, (in, text) -> {
            requireFree(in, text);
            int mode = wanted.mode().orElse(FileType.DIRECTORY.defaultMode());
            client.mkdirs(in.path(text), permission(mode, DIRECTORY_BITS), false);
            return finished(in, text, tree.child(in, text), wanted.withoutSize());
        });
    }

    private void requireFree(Located directory, String name) throws IOException {
        if (tree.named(directory, name).isPresent()) {
            throw new StoreException(Failure.EXIST, "inode " + directory.inode() + " already has an entry " + name);
        }
    }

    WeakCacheConsistency remove(FileId directory, FileName name) throws IOException {
        return locked(renames.readLock(), () -> delete(directory, name, false));
    }

    WeakCacheConsistency removeDirectory(FileId directory, FileName name) throws IOException {
        return locked(renames.writeLock(), () -> delete(directory, name, true));
    }

    private WeakCacheConsistency delete(FileId directory, FileName name, boolean wantDirectory) throws IOException {
        synchronized (directories.of(directory)) {
            Located in = tree.resolve(directory).requireDirectory();
            String text = HdfsNames.of(name);
            if (HdfsNames.isDots(text)) {
                throw new StoreException(
                        text.equals("..") ? Failure.EXIST : Failure.INVAL, "'" + text + "' cannot be removed");
            }
            Located file = tree.child(in, text);
            if (file.attributes().isDirectory() != wantDirectory) {
                throw new StoreException(
                        wantDirectory ? Failure.NOTDIR : Failure.ISDIR,
                        "inode " + file.inode() + (wantDirectory ? " is not a directory" : " is a directory"));
            }
            contents.forget(file.inode());
            if (!client.delete(in.path(text), false)) {
                throw new StoreException(Failure.NOENT, "another client removed " + text);
            }
            tree.forget(file.inode());
            return change(in);
        }
    }

    RenameResult rename(FileId fromDirectory, FileName oldName, FileId toDirectory, FileName newName)
            throws IOException {
        return locked(renames.writeLock(), () -> {
            Located from = tree.resolve(fromDirectory).requireDirectory();
            Located to = tree.resolve(toDirectory).requireDirectory();
            String old = HdfsNames.of(oldName);
            String fresh = HdfsNames.of(newName);
            if (HdfsNames.isDots(old) || HdfsNames.isDots(fresh)) {
                throw new StoreException(Failure.INVAL, "'.' and '..' cannot be renamed");
            }
            Located file = tree.child(from, old);
            Optional<Located> replaced = tree.named(to, fresh);
            if (replaced.isEmpty() || replaced.get().inode() != file.inode()) {
                requireMovable(file, to, replaced);
                replaced.ifPresent(each -> contents.forget(each.inode()));
                client.rename(from.path(old), to.path(fresh), Options.Rename.OVERWRITE);
                replaced.ifPresent(each -> tree.forget(each.inode()));
            }
            return new RenameResult(change(from), change(to));
        });
    }

    private void requireMovable(Located file, Located to, Optional<Located> replaced) throws IOException {
        boolean directory = file.attributes().isDirectory();
        if (directory && tree.isWithin(to, file.inode())) {
            throw new StoreException(Failure.INVAL, "inode " + file.inode() + " cannot be moved below itself");
        }
        if (replaced.isPresent()) {
            if (replaced.get().attributes().isDirectory() != directory) {
                throw new StoreException(
                        Failure.EXIST, "inode " + replaced.get().inode() + " has another type than " + file.inode());
            }
            if (directory && hasNames(replaced.get())) {
                throw new StoreException(
                        Failure.NOTEMPTY, "inode " + replaced.get().inode() + " is not empty");
            }
        }
    }

    private boolean hasNames(Located directory) throws IOException {
        return client.listPaths(directory.path(), HdfsFileStatus.EMPTY_NAME).getPartialListing().length > 0;
    }

    WeakCacheConsistency set(FileId id, AttributeChange change, Optional<FileTime> guard) throws IOException {
        synchronized (files.of(id)) {
            Located file = tree.resolve(id);
            if (guard.isPresent() && !guard.get().equals(file.attributes().changed())) {
                throw new StoreException(Failure.NOT_SYNC, "inode " + file.inode() + " has changed");
            }
            apply(file, change);
            return change(file);
        }
    }

    /** Sets the size first, because that changes times, and the times last. */
    private void apply(Located file, AttributeChange change) throws IOException {
        if (change.size().isPresent()) {
            contents.resize(file, change.size().get());
        }
        setOwner(file, change);
        if (change.mode().isPresent()) {
            client.setPermission(
                    file.path(),
                    permission(change.mode().get(), file.attributes().isDirectory() ? DIRECTORY_BITS : FILE_BITS));
        }
        if (change.setsTimes()) {
            contents.finish(file.inode());
            client.setTimes(file.path(), millis(change.modified()), millis(change.accessed()));
        }
    }

    private void setOwner(Located file, AttributeChange change) throws IOException {
        Optional<String> user = Optional.empty();
        if (change.uid().isPresent() && change.uid().get() != file.attributes().uid()) {
            user = Optional.of(accounts.user(change.uid().get())
                    .orElseThrow(() -> unknown(change.uid().get())));
        }
        Optional<String> group = Optional.empty();
        if (change.gid().isPresent() && change.gid().get() != file.attributes().gid()) {
            group = Optional.of(accounts.group(change.gid().get())
                    .orElseThrow(() -> unknown(change.gid().get())));
        }
        if (user.isPresent() || group.isPresent()) {
            client.setOwner(file.path(), user.orElse(null), group.orElse(null));
        }
    }

    private static StoreException unknown(long number) {
        return new StoreException(Failure.PERM, "this machine has no name for the user or group " + number);
    }

    /** A time in milliseconds; -1 leaves it unchanged. */
    private static long millis(NewTime time) {
        if (time instanceof NewTime.Given given) {
            return given.time().toMillis();
        }
        return time instanceof NewTime.Kept ? -1 : System.currentTimeMillis();
    }

    private static FsPermission permission(int mode, int bits) {
        return new FsPermission((short) (mode & bits));
    }
}
