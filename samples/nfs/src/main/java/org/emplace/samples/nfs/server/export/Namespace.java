// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.emplace.samples.nfs.server.handle.FileHandle;

/** Finding, making, renaming and removing files by name. Safe for use by several threads. */
public final class Namespace {
    private final FileTree tree;
    private final FileNames names;
    private final Maker maker;
    private final Attributes attributes;
    private final OpenFiles openFiles;
    private final Permissions permissions;
    private final Durability durability;
    private final NamespaceLock lock;

    Namespace(
            FileTree tree,
            FileNames names,
            Maker maker,
            Attributes attributes,
            OpenFiles openFiles,
            Permissions permissions,
            Durability durability,
            NamespaceLock lock) {
        this.tree = tree;
        this.names = names;
        this.maker = maker;
        this.attributes = attributes;
        this.openFiles = openFiles;
        this.permissions = permissions;
        this.durability = durability;
        this.lock = lock;
    }

    /** What a directory has by a name (LOOKUP). */
    public Node lookup(Caller caller, FileHandle directory, FileName name) throws IOException {
        return lock.shared(() -> {
            Node in = tree.resolve(directory).requireDirectory();
            permissions.require(caller, in, Permissions.SEARCH);
            return tree.child(in, names.name(name));
        });
    }

    /** What a symbolic link holds (READLINK). */
    public byte[] readLink(FileHandle handle) throws IOException {
        return lock.shared(() -> {
            Node link = tree.resolve(handle);
            if (!link.attributes().isSymbolicLink()) {
                throw new ExportException(Failure.INVAL, link.path() + " is not a symbolic link");
            }
            return names.targetBytes(Files.readSymbolicLink(link.path()));
        });
    }

    /** Makes a regular file (CREATE). */
    public Made create(Caller caller, FileHandle directory, FileName name, Creation how) throws IOException {
        return make(caller, directory, name, (in, path) -> {
            Optional<Node> existing = existing(in, path);
            return existing.isPresent() ? existing(caller, existing.get(), how) : maker.file(caller, in, path, how);
        });
    }

    private Node existing(Caller caller, Node file, Creation how) throws IOException {
        if (how instanceof Creation.Exclusive exclusive && Maker.madeWith(file, exclusive.verifier())) {
            return file;
        } else if (how instanceof Creation.Unchecked unchecked
                && file.attributes().isRegular()) {
            Optional<Long> size = unchecked.attributes().size();
            if (size.isPresent()) {
                permissions.requireForContent(caller, file, Permissions.WRITE);
                AttributeChange none = AttributeChange.NONE;
                attributes.apply(
                        file,
                        new AttributeChange(
                                none.mode(), none.uid(), none.gid(), size, none.accessed(), none.modified()));
            }
            return tree.again(file);
        }
        throw new ExportException(Failure.EXIST, file.path() + " exists");
    }

    /** Makes a directory (MKDIR). */
    public Made makeDirectory(Caller caller, FileHandle directory, FileName name, AttributeChange wanted)
            throws IOException {
        return make(
                caller, directory, name, (in, path) -> maker.directory(caller, requireFree(in, path), path, wanted));
    }

    /** Makes a symbolic link; what it holds is the clients' affair and is never followed here (SYMLINK). */
    public Made makeSymbolicLink(
            Caller caller, FileHandle directory, FileName name, byte[] target, AttributeChange wanted)
            throws IOException {
        return make(
                caller,
                directory,
                name,
                (in, path) -> maker.symbolicLink(caller, requireFree(in, path), path, names.target(target), wanted));
    }

    /** Gives a file one more name (LINK). */
    public Made link(Caller caller, FileHandle handle, FileHandle directory, FileName name) throws IOException {
        return make(caller, directory, name, (in, path) -> {
            Node file = tree.resolve(handle);
            if (file.attributes().isDirectory()) {
                throw new ExportException(Failure.INVAL, "directories cannot be linked: " + file.path());
            }
            requireFree(in, path);
            Files.createLink(in.path().resolve(path), file.path());
            return tree.child(in, path);
        });
    }

    private interface Making {
        Node make(Node directory, Path name) throws IOException;
    }

    private Made make(Caller caller, FileHandle directory, FileName name, Making making) throws IOException {
        Node[] changed = new Node[1];
        Made made = lock.exclusive(() -> {
            Node in = tree.resolve(directory).requireDirectory();
            Path path = names.name(name);
            if (isDots(path)) {
                throw new ExportException(Failure.EXIST, "every directory has '" + path + "'");
            }
            permissions.require(caller, in, Permissions.WRITE | Permissions.SEARCH);
            Node file = making.make(in, path);
            changed[0] = in;
            return new Made(file, changeOf(in));
        });
        durability.commit(changed[0].path());
        return made;
    }

    /** Takes a name from what is not a directory (REMOVE). */
    public WeakCacheAttributes remove(Caller caller, FileHandle directory, FileName name) throws IOException {
        return remove(caller, directory, name, false);
    }

    /** Removes an empty directory (RMDIR). */
    public WeakCacheAttributes removeDirectory(Caller caller, FileHandle directory, FileName name) throws IOException {
        return remove(caller, directory, name, true);
    }

    private WeakCacheAttributes remove(Caller caller, FileHandle directory, FileName name, boolean wantDirectory)
            throws IOException {
        Node[] changed = new Node[1];
        WeakCacheAttributes change = lock.exclusive(() -> {
            Node in = tree.resolve(directory).requireDirectory();
            Path path = names.name(name);
            if (isDots(path)) {
                Failure failure = path.toString().equals("..") ? Failure.EXIST : Failure.INVAL;
                throw new ExportException(failure, "'" + path + "' cannot be removed");
            }
            Node file = tree.child(in, path);
            if (file.attributes().isDirectory() != wantDirectory) {
                throw new ExportException(
                        wantDirectory ? Failure.NOTDIR : Failure.ISDIR,
                        file.path() + (wantDirectory ? " is not a directory" : " is a directory"));
            }
            permissions.requireRemoval(caller, in, file);
            closeIfLastName(file);
            Files.delete(file.path());
            tree.removed(file, in, path);
            changed[0] = in;
            return changeOf(in);
        });
        durability.commit(changed[0].path());
        return change;
    }

    /** Some file systems do not remove what is open. */
    private void closeIfLastName(Node file) {
        if (file.attributes().links() <= 1) {
            openFiles.forget(file.key());
        }
    }

    /** The two directories of a RENAME. */
    public record Renamed(WeakCacheAttributes from, WeakCacheAttributes to) {}

    /** Gives a file another name, in place of what had that name if the two are of a kind (RENAME). */
    public Renamed rename(
            Caller caller, FileHandle fromDirectory, FileName oldName, FileHandle toDirectory, FileName newName)
            throws IOException {
        Node[] changed = new Node[2];
        Renamed renamed = lock.exclusive(() -> {
            Node from = tree.resolve(fromDirectory).requireDirectory();
            Node to = tree.resolve(toDirectory).requireDirectory();
            Path old = names.name(oldName);
            Path fresh = names.name(newName);
            if (isDots(old) || isDots(fresh)) {
                throw new ExportException(Failure.INVAL, "'.' and '..' cannot be renamed");
            }
            Node file = tree.child(from, old);
            Optional<Node> replaced = existing(to, fresh);
            permissions.requireRemoval(caller, from, file);
            permissions.require(caller, to, Permissions.WRITE | Permissions.SEARCH);
            if (replaced.isEmpty() || !replaced.get().key().equals(file.key())) {
                if (replaced.isPresent()) {
                    requireReplaceable(caller, to, file, replaced.get());
                }
                move(file, from, old, to, fresh, replaced);
            }
            changed[0] = from;
            changed[1] = to;
            return new Renamed(changeOf(from), changeOf(to));
        });
        durability.commit(changed[0].path());
        if (!changed[0].key().equals(changed[1].key())) {
            durability.commit(changed[1].path());
        }
        return renamed;
    }

    private void requireReplaceable(Caller caller, Node to, Node file, Node replaced) throws IOException {
        permissions.requireRemoval(caller, to, replaced);
        if (file.attributes().isDirectory() != replaced.attributes().isDirectory()) {
            throw new ExportException(Failure.EXIST, replaced.path() + " is not of the kind of " + file.path());
        }
    }

    private void move(Node file, Node from, Path old, Node to, Path fresh, Optional<Node> replaced) throws IOException {
        replaced.ifPresent(this::closeIfLastName);
        Files.move(
                file.path(),
                to.path().resolve(fresh),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        if (replaced.isPresent()) {
            tree.removed(replaced.get(), to, fresh);
        }
        tree.moved(file, from, old, to, fresh);
    }

    private Optional<Node> existing(Node directory, Path name) throws IOException {
        try {
            return Optional.of(tree.child(directory, name));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private Node requireFree(Node directory, Path name) throws IOException {
        if (existing(directory, name).isPresent()) {
            throw new ExportException(Failure.EXIST, directory.path().resolve(name) + " exists");
        }
        return directory;
    }

    private WeakCacheAttributes changeOf(Node directory) throws IOException {
        return new WeakCacheAttributes(
                Optional.of(directory.attributes()),
                Optional.of(tree.again(directory).attributes()));
    }

    private static boolean isDots(Path name) {
        return name.toString().equals(".") || name.toString().equals("..");
    }
}
