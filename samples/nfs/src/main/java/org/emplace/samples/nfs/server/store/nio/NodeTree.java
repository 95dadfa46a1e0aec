// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.Store.FileOperation;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.nio.AttributeSource.Seen;
import org.emplace.samples.nfs.server.store.nio.NioStore.NamesLock;
import org.emplace.samples.nfs.server.store.nio.Node.Place;
import org.jspecify.annotations.Nullable;

/**
 * Finds paths by id. Makes a path of remembered names, and compares the file of every component, without following links, with the expected one. So a
 * path never leads to another file than the id's, unless another program changes names between the comparison and the use of the path. Clients
 * cannot, because they change names only in {@link #exclusive}. Safe for use by several threads.
 */
final class NodeTree {
    /**
     * The most levels of directories below the root. The kernel follows a path from its beginning each time, so comparing each directory on it takes
     * time in proportion to the square of their number.
     */
    static final int DEEPEST = 128;

    private static final Object NO_PEER = "no client";

    private static final int SET_ID_BITS = 06000;
    private static final int ID_LENGTH = 2 * Long.BYTES;

    private final Path rootPath;
    private final AttributeSource source;
    private final NodeTable table;
    private final long run = new SecureRandom().nextLong();
    private final NamesLock names;

    /** @param names the lock of the names; trees that overlap need the same one */
    NodeTree(Path rootPath, AttributeSource source, int nodes, NamesLock names) throws IOException {
        this.rootPath = rootPath;
        this.source = source;
        this.names = names;
        this.table = new NodeTable(nodes, source.read(rootPath));
    }

    /**
     * A file that was found by its path.
     *
     * @param peer for whom it was found, and whom what the store remembers of its entries counts for
     */
    record Located(Object peer, FileId id, Node node, Path path, FileAttributes attributes) {
        FoundFile found() {
            return new FoundFile(id, attributes);
        }

        Located requireDirectory() throws StoreException {
            attributes.requireDirectory(path);
            return this;
        }

        Located requireRegular() throws StoreException {
            attributes.requireRegular(path);
            return this;
        }
    }

    /** Runs an operation while no client changes names. */
    <T> T shared(FileOperation<T> operation) throws IOException {
        return locked(names.using(), operation);
    }

    /** Runs an operation while no other client uses names. */
    <T> T exclusive(FileOperation<T> operation) throws IOException {
        return locked(names.changing(), operation);
    }

    private static <T> T locked(Lock lock, FileOperation<T> operation) throws IOException {
        lock.lock();
        try {
            return operation.run();
        } finally {
            lock.unlock();
        }
    }

    /** The exported directory. */
    Located root() throws IOException {
        return locate(NO_PEER, table.root());
    }

    /** The file of an id, with its current attributes, for an operation that uses none of its entries. */
    Located resolve(FileId id) throws IOException {
        return resolve(NO_PEER, id);
    }

    /**
     * The file of an id, with its current attributes.
     *
     * @throws StoreException of STALE if it is gone, or not remembered
     */
    Located resolve(Object peer, FileId id) throws IOException {
        byte[] bytes = id.bytes();
        if (bytes.length != ID_LENGTH) {
            throw new StoreException(Failure.BADHANDLE, "not an id of this store: " + id);
        }
        ByteBuffer fields = ByteBuffer.wrap(bytes);
        Node node = fields.getLong() == run ? table.withNumber(fields.getLong()) : null;
        if (node == null) {
            throw stale("the store no longer remembers file " + id);
        }
        return locate(peer, node);
    }

    /** The file of a node, with its current attributes. */
    Located locate(Object peer, Node node) throws IOException {
        if (node == table.root()) {
            Seen seen = read(rootPath);
            if (seen != null && node.isFile(seen)) {
                return located(peer, node, rootPath, seen);
            }
            throw stale("the exported directory is gone: " + rootPath);
        }
        for (Place place : table.places(node)) {
            Path directory = pathOf(place.directory());
            if (directory != null) {
                Path path = directory.resolve(place.name());
                Seen seen = read(path);
                if (seen != null && node.isFile(seen)) {
                    return located(peer, node, path, seen);
                }
                table.forget(node, place);
            }
        }
        throw stale("the file is gone");
    }

    private static StoreException stale(String message) {
        return new StoreException(Failure.STALE, message);
    }

    /** A directory's path, with each component compared; null if the directory has moved. */
    private @Nullable Path pathOf(Node directory) throws IOException {
        List<Place> way = table.way(directory);
        if (way == null || !isDirectory(rootPath, table.root())) {
            return null;
        }
        Path path = rootPath;
        for (int i = 0; i < way.size(); i++) {
            path = path.resolve(way.get(i).name());
            Node expected = i + 1 < way.size() ? way.get(i + 1).directory() : directory;
            if (!isDirectory(path, expected)) {
                return null;
            }
        }
        return path;
    }

    /** The file at a path; null if there is none. */
    private @Nullable Seen read(Path path) throws IOException {
        return ifExists(() -> source.read(path));
    }

    private boolean isDirectory(Path path, Node expected) throws IOException {
        Boolean is = ifExists(() -> source.isDirectory(path, expected.key));
        return is != null && is;
    }

    private static <T> @Nullable T ifExists(FileOperation<T> looking) throws IOException {
        try {
            return looking.run();
        } catch (NoSuchFileException | NotDirectoryException | FileSystemLoopException nowhere) {
            return null;
        } catch (FileSystemException e) {
            Failure failure = ErrorMapping.failureOf(e);
            if (failure == Failure.NOTDIR || failure == Failure.NOENT) {
                return null;
            }
            throw e;
        }
    }

    /** The entry of a directory; the directory itself for ".", its parent for "..". The root is its own parent. */
    Located child(Located directory, Path name) throws IOException {
        String text = name.toString();
        if (text.equals(".")) {
            return directory;
        } else if (text.equals("..")) {
            List<Place> places = table.places(directory.node());
            return places.isEmpty()
                    ? directory
                    : locate(directory.peer(), places.get(0).directory());
        }
        return child(directory, name, source.read(directory.path().resolve(name)));
    }

    private Located child(Located directory, Path name, Seen seen) throws IOException {
        if (seen.attributes().isDirectory()) {
            requireRoomBelow(directory);
        }
        Node node = table.at(directory.node(), name, seen, directory.peer());
        return located(directory.peer(), node, directory.path().resolve(name), seen);
    }

    /** The number of an entry's file. Remembers the file only if it has no number otherwise. */
    long childsNumber(Located directory, Path name) throws IOException {
        Seen seen = source.read(directory.path().resolve(name));
        long number = seen.attributes().number();
        return number != 0 ? number : child(directory, name, seen).attributes().number();
    }

    /** The entry of a directory, if there is one. */
    Optional<Located> existing(Located directory, Path name) throws IOException {
        try {
            return Optional.of(child(directory, name));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Checks that a directory may have directories in it. */
    void requireRoomBelow(Located directory) throws StoreException {
        if (directory.path().getNameCount() - rootPath.getNameCount() >= DEEPEST) {
            throw new StoreException(
                    Failure.NAMETOOLONG, "a directory more than " + DEEPEST + " levels below the exported one");
        }
    }

    /**
     * A file that was found before an operation takes the lock for changing names.
     *
     * @param changes the directories moved or removed until then
     */
    record Found(Located file, long changes) {}

    /** Finds the file of an id for {@link #confirmed}: the way to it may be long, and others wait for the lock. */
    Found find(Object peer, FileId id) throws IOException {
        return shared(() -> new Found(resolve(peer, id), names.directoryChanges()));
    }

    /** The file in its current state. Follows the way to it again only if directories have been moved or removed since. Runs in {@link #exclusive}. */
    Located confirmed(Found found) throws IOException {
        Located file = found.file();
        Seen seen = names.directoryChanges() == found.changes() ? read(file.path()) : null;
        return seen != null && file.node().isFile(seen)
                ? located(file.peer(), file.node(), file.path(), seen)
                : again(file);
    }

    /** The file with its current attributes. */
    Located again(Located file) throws IOException {
        return locate(file.peer(), file.node());
    }

    /** Like {@link #again}, for a file that was located while names have been locked as they are now. */
    Located unmoved(Located file) throws IOException {
        Seen seen = read(file.path());
        if (seen == null || !file.node().isFile(seen)) {
            throw stale("the file is gone: " + file.path());
        }
        return located(file.peer(), file.node(), file.path(), seen);
    }

    /** A file's current attributes, if its path still leads to it. May be called while names change. */
    Optional<FileAttributes> now(Located file) throws IOException {
        Seen seen = read(file.path());
        boolean same = seen != null && seen.key() != null && file.node().isFile(seen);
        return seen != null && same ? Optional.of(complete(file.node(), seen.attributes())) : Optional.empty();
    }

    /**
     * Takes set-id bits from a regular file that is about to be written to. The kernel does so, unless root writes. Runs in {@link #shared} or {@link
     * #exclusive}.
     */
    void dropSetId(Located file) throws IOException {
        int mode = file.attributes().mode();
        if ((mode & SET_ID_BITS) != 0) {
            try {
                source.setMode(file.path(), file.attributes(), mode & ~SET_ID_BITS);
            } catch (FileSystemException notOurs) {
                // Then this process is not root's.
            }
        }
    }

    /** Notes that the file has lost this name. Runs in {@link #exclusive}. */
    void removed(Located file, Node directory, Path name) {
        if (file.attributes().isDirectory()) {
            names.directoryChanged();
        }
        if (file.attributes().isDirectory() || file.attributes().links() <= 1) {
            table.removed(file.node());
        } else {
            table.forget(file.node(), new Place(directory, name));
        }
    }

    /** Notes that the file has been renamed. Runs in {@link #exclusive}. */
    void moved(Located file, Node from, Path oldName, Node to, Path newName) {
        if (file.attributes().isDirectory()) {
            names.directoryChanged();
        }
        table.moved(file.node(), new Place(from, oldName), new Place(to, newName));
    }

    private Located located(Object peer, Node node, Path path, Seen seen) {
        byte[] id =
                ByteBuffer.allocate(ID_LENGTH).putLong(run).putLong(node.number).array();
        return new Located(peer, new FileId(id), node, path, complete(node, seen.attributes()));
    }

    /** Adds attributes that the store knows and the file system does not. */
    private FileAttributes complete(Node node, FileAttributes seen) {
        if (seen.number() != 0) {
            return seen;
        }
        FileTime touched = node.touched;
        boolean later = touched != null && touched.compareTo(seen.changed()) > 0;
        int links = seen.isDirectory() ? 0 : table.places(node).size();
        return new FileAttributes(
                node.number,
                seen.type(),
                seen.mode(),
                Math.max(seen.links(), links),
                seen.uid(),
                seen.gid(),
                seen.size(),
                seen.used(),
                seen.device(),
                seen.accessed(),
                seen.modified(),
                touched != null && later ? touched : seen.changed());
    }
}
