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
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.FileType;
import org.emplace.samples.nfs.server.store.Store.CreationResult;
import org.emplace.samples.nfs.server.store.Store.FileOperation;
import org.emplace.samples.nfs.server.store.Store.RenameResult;
import org.emplace.samples.nfs.server.store.Store.WeakCacheConsistency;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.StripedLocks;
import org.emplace.samples.nfs.server.store.hadoop.HdfsTree.Located;

/**
 * Creates, renames and removes files, and sets their attributes. Runs one creation or removal at a time in each directory, and one rename
 * at a time in the whole store. Only questions to the name node are asked meanwhile: sizes are set, and files closed, before or after. Safe for use by
 * several threads.
 */
final class HdfsChanges {
    private static final int FILE_BITS = 0777;
    private static final int DIRECTORY_BITS = 01777;
    private static final int BUFFER = 1 << 12;

    /** How often a file is closed that others open again before it is removed. */
    private static final int CLOSINGS = 4;

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

    CreationResult create(Object peer, FileId directory, FileName name, Creation how) throws IOException {
        Creating creating = new Creating(peer, how);
        CreationResult made = make(directory, name, creating);
        if (creating.left.equals(AttributeChange.NONE)) {
            return made;
        }
        try {
            apply(peer, tree.resolve(made.id()), creating.left);
            return new CreationResult(tree.resolve(made.id()).found(), made.directory());
        } catch (IOException | RuntimeException e) {
            if (creating.fresh) {
                withdraw(directory, name, made.id());
            }
            throw e;
        }
    }

    /** Finds or creates a file. A size is set afterwards, because zeros or a truncation may take long. */
    private final class Creating implements Making {
        private final Object peer;
        private final Creation how;
        private AttributeChange left = AttributeChange.NONE;
        private boolean fresh;

        Creating(Object peer, Creation how) {
            this.peer = peer;
            this.how = how;
        }

        @Override
        public Located make(Located directory, String name) throws IOException {
            AttributeChange wanted = how.attributes();
            Optional<Located> existing = tree.named(directory, name);
            if (existing.isPresent()) {
                requireTakeable(existing.get(), how);
                left = onlySize(wanted);
                return existing.get();
            }
            if (wanted.size().orElse(0L) > AppendedFile.MOST_ZEROS) {
                throw new StoreException(Failure.FBIG, "a new file of more than " + AppendedFile.MOST_ZEROS + " zeros");
            }
            fresh = true;
            Located made = file(directory, name, wanted.mode().orElse(FileType.REGULAR.defaultMode()));
            if (wanted.size().orElse(0L) == 0) {
                return finished(peer, directory, name, made, wanted.withoutSize());
            }
            left = wanted.withoutMode();
            return made;
        }
    }

    private static AttributeChange onlySize(AttributeChange wanted) {
        AttributeChange none = AttributeChange.NONE;
        return new AttributeChange(
                none.mode(), none.uid(), none.gid(), wanted.size(), none.accessed(), none.modified());
    }

    /** Removes a new file whose attributes could not be set, unless its name now leads to another file. */
    private void withdraw(FileId directory, FileName name, FileId file) throws IOException {
        contents.forget(HdfsTree.inode(file));
        locked(renames.readLock(), () -> {
            synchronized (directories.of(directory)) {
                Located in = tree.resolve(directory);
                Optional<Located> found = tree.named(in, HdfsNames.of(name));
                if (found.isPresent() && found.get().id().equals(file)) {
                    client.delete(in.path(HdfsNames.of(name)), false);
                    tree.forget(found.get().inode());
                }
                return found;
            }
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
    private Located finished(Object peer, Located directory, String name, Located made, AttributeChange wanted)
            throws IOException {
        AttributeChange left = wanted.withoutMode();
        if (left.equals(AttributeChange.NONE)) {
            return made;
        }
        try {
            apply(peer, made, left);
            return tree.locate(made.inode());
        } catch (IOException | RuntimeException e) {
            contents.forget(made.inode());
            client.delete(directory.path(name), false);
            throw e;
        }
    }

    CreationResult makeDirectory(Object peer, FileId directory, FileName name, AttributeChange wanted)
            throws IOException {
        return make(directory, name, (in, text) -> {
            requireFree(in, text);
            int mode = wanted.mode().orElse(FileType.DIRECTORY.defaultMode());
            client.mkdirs(in.path(text), permission(mode, DIRECTORY_BITS), false);
            return finished(peer, in, text, tree.child(in, text), wanted.withoutSize());
        });
    }

    private void requireFree(Located directory, String name) throws IOException {
        if (tree.named(directory, name).isPresent()) {
            throw new StoreException(Failure.EXIST, "inode " + directory.inode() + " already has an entry " + name);
        }
    }

    /** A change that removes a file. Does nothing and returns its inode instead if the file is being written. */
    private interface Removing<T> {
        Removal<T> run() throws IOException;
    }

    /** What a change has done, or the file that must be closed before. */
    private record Removal<T>(Optional<T> done, long written) {
        static <T> Removal<T> of(T done) {
            return new Removal<>(Optional.of(done), 0);
        }

        static <T> Removal<T> closeFirst(Located file) {
            return new Removal<>(Optional.empty(), file.inode());
        }
    }

    /** Runs a change that removes a file. A file that is being written is closed before, while other changes go on: its data has to reach the disks. */
    private <T> T removing(Lock lock, Removing<T> change) throws IOException {
        for (int i = 0; i <= CLOSINGS; i++) {
            Removal<T> removal = locked(lock, change::run);
            if (removal.done().isPresent()) {
                return removal.done().get();
            }
            contents.finish(removal.written());
        }
        throw new StoreException(Failure.JUKEBOX, "others keep writing to the file that is to be removed");
    }

    WeakCacheConsistency remove(FileId directory, FileName name) throws IOException {
        return removing(renames.readLock(), () -> delete(directory, name, false));
    }

    WeakCacheConsistency removeDirectory(FileId directory, FileName name) throws IOException {
        return removing(renames.writeLock(), () -> delete(directory, name, true));
    }

    private Removal<WeakCacheConsistency> delete(FileId directory, FileName name, boolean wantDirectory)
            throws IOException {
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
            if (contents.isWritten(file.inode())) {
                return Removal.closeFirst(file);
            }
            contents.forget(file.inode());
            if (!client.delete(in.path(text), false)) {
                throw new StoreException(Failure.NOENT, "another client removed " + text);
            }
            tree.forget(file.inode());
            return Removal.of(change(in));
        }
    }

    RenameResult rename(FileId fromDirectory, FileName oldName, FileId toDirectory, FileName newName)
            throws IOException {
        return removing(renames.writeLock(), () -> {
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
                requireMovable(file, replaced);
                if (replaced.isPresent() && contents.isWritten(replaced.get().inode())) {
                    return Removal.closeFirst(replaced.get());
                }
                replaced.ifPresent(each -> contents.forget(each.inode()));
                client.rename(from.path(old), to.path(fresh), Options.Rename.OVERWRITE);
                replaced.ifPresent(each -> tree.forget(each.inode()));
            }
            return Removal.of(new RenameResult(change(from), change(to)));
        });
    }

    /** The name node rejects a directory that would move below itself. */
    private void requireMovable(Located file, Optional<Located> replaced) throws IOException {
        boolean directory = file.attributes().isDirectory();
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

    WeakCacheConsistency set(Object peer, FileId id, AttributeChange change, Optional<FileTime> guard)
            throws IOException {
        synchronized (files.of(id)) {
            Located file = tree.resolve(id);
            if (guard.isPresent() && !guard.get().equals(file.attributes().changed())) {
                throw new StoreException(Failure.NOT_SYNC, "inode " + file.inode() + " has changed");
            }
            apply(peer, file, change);
            return change(file);
        }
    }

    /** Sets the size first, because that changes times, and the times last. */
    private void apply(Object peer, Located file, AttributeChange change) throws IOException {
        if (change.size().isPresent()) {
            contents.resize(peer, file, change.size().get());
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
