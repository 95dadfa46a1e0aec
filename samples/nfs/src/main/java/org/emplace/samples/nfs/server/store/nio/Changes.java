// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.emplace.samples.nfs.server.store.AttributeChange;
import org.emplace.samples.nfs.server.store.Creation;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.FileType;
import org.emplace.samples.nfs.server.store.Store.CreationResult;
import org.emplace.samples.nfs.server.store.Store.Durability;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.emplace.samples.nfs.server.store.Store.RenameResult;
import org.emplace.samples.nfs.server.store.Store.WeakCacheConsistency;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.nio.NioStore.Abilities;
import org.emplace.samples.nfs.server.store.nio.NodeTree.Found;
import org.emplace.samples.nfs.server.store.nio.NodeTree.Located;

/** Creates, renames and removes files, and sets their attributes. Safe for use by several threads. */
final class Changes {
    /** The most names of a file. An id must remember all of them. */
    static final int MOST_LINKS = 1000;

    private static final int SET_GROUP_ID = 02000;

    private final NodeTree tree;
    private final PathNames names;
    private final AttributeSource source;
    private final FileContents contents;
    private final Abilities abilities;
    private final boolean synchronous;

    Changes(
            NodeTree tree,
            PathNames names,
            AttributeSource source,
            FileContents contents,
            Abilities abilities,
            Durability durability) {
        this.tree = tree;
        this.names = names;
        this.source = source;
        this.contents = contents;
        this.abilities = abilities;
        this.synchronous = durability == Durability.SYNCHRONOUS && abilities.local();
    }

    CreationResult create(Object peer, FileId directory, FileName name, Creation how) throws IOException {
        Creating creating = new Creating(how);
        CreationResult made = make(peer, directory, name, creating);
        if (creating.left.equals(AttributeChange.NONE)) {
            return made;
        }
        FileId file = made.id();
        try {
            WeakCacheConsistency change = set(peer, file, creating.left, Optional.empty());
            return new CreationResult(new FoundFile(file, change.after().orElseThrow()), made.directory());
        } catch (IOException | RuntimeException e) {
            if (creating.fresh) {
                withdraw(peer, directory, name, file);
            }
            throw e;
        }
    }

    /** Finds or creates a file. Setting its size may take long, so that happens after the lock of the names is released. */
    private final class Creating implements Making {
        private final Creation how;
        private AttributeChange left = AttributeChange.NONE;
        private boolean fresh;

        Creating(Creation how) {
            this.how = how;
        }

        @Override
        public Located make(Located directory, Path name) throws IOException {
            AttributeChange asked = how.attributes();
            AttributeChange wanted = asked.withMode(asked.mode().orElse(FileType.REGULAR.defaultMode()));
            Optional<Located> existing = tree.existing(directory, name);
            if (existing.isPresent()) {
                if (!how.takes(existing.get().attributes())) {
                    throw new StoreException(Failure.EXIST, existing.get().path() + " exists");
                }
                left = part(Optional.empty(), wanted.size(), AttributeChange.NONE);
                return existing.get();
            }
            fresh = true;
            boolean sized = wanted.size().orElse(0L) != 0;
            left = sized ? part(wanted.mode(), wanted.size(), wanted) : left;
            return file(directory, name, sized ? AttributeChange.NONE : wanted.withoutSize());
        }
    }

    private static AttributeChange part(Optional<Integer> mode, Optional<Long> size, AttributeChange times) {
        return new AttributeChange(mode, Optional.empty(), Optional.empty(), size, times.accessed(), times.modified());
    }

    /** Removes a new file whose size could not be set, unless its name now leads to another file. */
    private void withdraw(Object peer, FileId directory, FileName name, FileId file) throws IOException {
        Found checked = tree.find(peer, directory);
        tree.exclusive(() -> {
            Located in = tree.confirmed(checked);
            Path path = names.name(name);
            Optional<Located> found = tree.existing(in, path);
            if (found.isPresent() && found.get().id().equals(file)) {
                delete(in, path, found.get());
            }
            return found;
        });
    }

    private Located file(Located directory, Path name, AttributeChange wanted) throws IOException {
        Path path = directory.path().resolve(name);
        FileChannel channel = FileChannel.open(
                path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), permissions("rw-------"));
        Located made;
        try {
            made = tree.child(directory, name);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        contents.adopt(made, channel);
        return finished(directory, name, made, wanted);
    }

    CreationResult makeDirectory(Object peer, FileId directory, FileName name, AttributeChange wanted)
            throws IOException {
        return make(peer, directory, name, (in, path) -> {
            requireFree(in, path);
            tree.requireRoomBelow(in);
            Files.createDirectory(in.path().resolve(path), permissions("rwx------"));
            Located made = tree.child(in, path);
            int inherited = made.attributes().mode() & SET_GROUP_ID;
            int mode = wanted.mode().orElse(FileType.DIRECTORY.defaultMode()) | inherited;
            return finished(in, path, made, wanted.withoutSize().withMode(mode));
        });
    }

    /** Creates a symbolic link. Its mode has no meaning; Linux links have none. */
    CreationResult makeSymbolicLink(Object peer, FileId directory, FileName name, byte[] target, AttributeChange wanted)
            throws IOException {
        if (!abilities.posix()) {
            throw new StoreException(Failure.NOTSUPP, "the file system has no symbolic links");
        }
        return make(peer, directory, name, (in, path) -> {
            requireFree(in, path);
            Files.createSymbolicLink(in.path().resolve(path), names.target(target));
            return finished(in, path, tree.child(in, path), wanted.withoutSize());
        });
    }

    CreationResult link(Object peer, FileId id, FileId directory, FileName name) throws IOException {
        if (!abilities.posix()) {
            throw new StoreException(Failure.NOTSUPP, "the file system has no hard links");
        }
        Found linked = tree.find(peer, id);
        return make(peer, directory, name, (in, path) -> {
            Located file = tree.confirmed(linked);
            if (file.attributes().isDirectory()) {
                throw new StoreException(Failure.INVAL, "directories cannot be linked: " + file.path());
            }
            requireFree(in, path);
            if (file.attributes().links() >= MOST_LINKS) {
                throw new StoreException(Failure.MLINK, file.path() + " has " + MOST_LINKS + " names");
            }
            Files.createLink(in.path().resolve(path), file.path());
            touch(file);
            return tree.child(in, path);
        });
    }

    /** Gives a new file its attributes, and removes it again if that fails. Ignores the owner: files belong to the server's user. */
    private Located finished(Located directory, Path name, Located made, AttributeChange wanted) throws IOException {
        try {
            apply(made, wanted);
            return tree.child(directory, name);
        } catch (IOException | RuntimeException e) {
            contents.forget(made.node());
            tree.removed(made, directory.node(), name);
            Files.deleteIfExists(made.path());
            throw e;
        }
    }

    private interface Making {
        Located make(Located directory, Path name) throws IOException;
    }

    private CreationResult make(Object peer, FileId directory, FileName name, Making making) throws IOException {
        Found found = tree.find(peer, directory);
        try (PendingSync pending = new PendingSync(synchronous)) {
            CreationResult made = tree.exclusive(() -> {
                Located in = tree.confirmed(found).requireDirectory();
                Path path = names.name(name);
                if (isDots(path)) {
                    throw new StoreException(Failure.EXIST, "every directory has '" + path + "'");
                }
                Located file = making.make(in, path);
                pending.add(in);
                return new CreationResult(file.found(), changeOf(in));
            });
            pending.force();
            return made;
        }
    }

    WeakCacheConsistency remove(Object peer, FileId directory, FileName name, boolean wantDirectory)
            throws IOException {
        Found found = tree.find(peer, directory);
        try (PendingSync pending = new PendingSync(synchronous)) {
            WeakCacheConsistency change = tree.exclusive(() -> {
                Located in = tree.confirmed(found).requireDirectory();
                Path path = names.name(name);
                if (isDots(path)) {
                    Failure failure = path.toString().equals("..") ? Failure.EXIST : Failure.INVAL;
                    throw new StoreException(failure, "'" + path + "' cannot be removed");
                }
                Located file = tree.child(in, path);
                if (file.attributes().isDirectory() != wantDirectory) {
                    throw new StoreException(
                            wantDirectory ? Failure.NOTDIR : Failure.ISDIR,
                            file.path() + (wantDirectory ? " is not a directory" : " is a directory"));
                }
                delete(in, path, file);
                pending.add(in);
                return changeOf(in);
            });
            pending.force();
            return change;
        }
    }

    private void delete(Located directory, Path name, Located file) throws IOException {
        contents.forget(file.node());
        Files.delete(file.path());
        directory.node().namesChanged();
        tree.removed(file, directory.node(), name);
        touch(file);
    }

    RenameResult rename(Object peer, FileId fromDirectory, FileName oldName, FileId toDirectory, FileName newName)
            throws IOException {
        Found source = tree.find(peer, fromDirectory);
        Found destination = tree.find(peer, toDirectory);
        try (PendingSync pending = new PendingSync(synchronous)) {
            RenameResult renamed = tree.exclusive(() -> {
                Located from = tree.confirmed(source).requireDirectory();
                Located to = tree.confirmed(destination).requireDirectory();
                Path old = names.name(oldName);
                Path fresh = names.name(newName);
                if (isDots(old) || isDots(fresh)) {
                    throw new StoreException(Failure.INVAL, "'.' and '..' cannot be renamed");
                }
                Located file = tree.child(from, old);
                Optional<Located> replaced = tree.existing(to, fresh);
                if (replaced.isEmpty() || replaced.get().node() != file.node()) {
                    requireReplaceable(file, to, replaced);
                    move(file, from, old, to, fresh, replaced);
                }
                pending.add(from);
                pending.add(to);
                return new RenameResult(changeOf(from), changeOf(to));
            });
            pending.force();
            return renamed;
        }
    }

    private void requireReplaceable(Located file, Located to, Optional<Located> replaced) throws StoreException {
        if (to.path().startsWith(file.path())) {
            throw new StoreException(Failure.INVAL, file.path() + " cannot be moved below itself");
        }
        boolean directory = file.attributes().isDirectory();
        if (directory) {
            tree.requireRoomBelow(to);
        }
        if (replaced.isPresent() && replaced.get().attributes().isDirectory() != directory) {
            throw new StoreException(Failure.EXIST, replaced.get().path() + " has another type than " + file.path());
        }
    }

    private void move(Located file, Located from, Path old, Located to, Path fresh, Optional<Located> replaced)
            throws IOException {
        replaced.ifPresent(each -> contents.forget(each.node()));
        Files.move(
                file.path(),
                to.path().resolve(fresh),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        if (replaced.isPresent()) {
            tree.removed(replaced.get(), to.node(), fresh);
        }
        tree.moved(file, from.node(), old, to.node(), fresh);
        touch(file);
    }

    WeakCacheConsistency set(Object peer, FileId id, AttributeChange change, Optional<FileTime> guard)
            throws IOException {
        try (PendingSync pending = new PendingSync(synchronous)) {
            Located found = tree.shared(() -> tree.resolve(peer, id));
            WeakCacheConsistency result;
            synchronized (contents.writersOf(found.node())) {
                Located before = tree.shared(() -> changeable(found, change, guard));
                if (change.size().isPresent()) {
                    contents.resize(peer, id, change.size().get());
                }
                result = tree.shared(() -> {
                    Located file = tree.again(found);
                    apply(file, change);
                    touch(file);
                    pending.add(file);
                    return new WeakCacheConsistency(
                            Optional.of(before.attributes()),
                            Optional.of(tree.unmoved(file).attributes()));
                });
            }
            pending.force();
            return result;
        }
    }

    /** The file in its current state, if the change is permitted. */
    private Located changeable(Located found, AttributeChange change, Optional<FileTime> guard) throws IOException {
        Located file = tree.again(found);
        if (guard.isPresent() && !guard.get().equals(file.attributes().changed())) {
            throw new StoreException(Failure.NOT_SYNC, file.path() + " has changed since the client looked");
        }
        if (change.size().isPresent()) {
            file.requireRegular();
        }
        requireSameOwner(file, change);
        return file;
    }

    private static void requireSameOwner(Located file, AttributeChange change) throws StoreException {
        long uid = file.attributes().uid();
        long gid = file.attributes().gid();
        if (change.uid().orElse(uid) != uid || change.gid().orElse(gid) != gid) {
            throw new StoreException(Failure.PERM, "all files belong to the server's user");
        }
    }

    /** Sets all attributes except the size. The mode comes last, because the server's user may not be able to open the file afterward. */
    private void apply(Located file, AttributeChange change) throws IOException {
        if (change.setsTimes()) {
            // Some file systems set times when a file is closed.
            contents.forget(file.node());
            source.setTimes(file.path(), file.attributes(), change.accessed(), change.modified());
        }
        if (change.mode().isPresent() && !file.attributes().isSymbolicLink()) {
            source.setMode(file.path(), file.attributes(), change.mode().get());
        }
    }

    private static void touch(Located file) {
        file.node().touched = FileTime.from(Instant.now());
    }

    private WeakCacheConsistency changeOf(Located directory) throws IOException {
        directory.node().namesChanged();
        return new WeakCacheConsistency(
                Optional.of(directory.attributes()),
                Optional.of(tree.unmoved(directory).attributes()));
    }

    private void requireFree(Located directory, Path name) throws IOException {
        if (tree.existing(directory, name).isPresent()) {
            throw new StoreException(Failure.EXIST, directory.path().resolve(name) + " exists");
        }
    }

    private static boolean isDots(Path name) {
        return name.toString().equals(".") || name.toString().equals("..");
    }

    /** Permissions for the server's user only, until a new file has its attributes. */
    private FileAttribute<?>[] permissions(String text) {
        return abilities.posix()
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text))}
                : new FileAttribute<?>[0];
    }
}
