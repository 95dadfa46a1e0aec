// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.emplace.samples.nfs.server.handle.FileHandle;
import org.emplace.samples.nfs.server.handle.FileId;
import org.emplace.samples.nfs.server.handle.FileKey;
import org.emplace.samples.nfs.server.handle.Generations;
import org.emplace.samples.nfs.server.handle.HandleCodec;
import org.jspecify.annotations.Nullable;

/**
 * From handles to the files of an export. A path is put together from remembered names, and every component of it is compared with the key
 * that it should have, links not followed, so a symbolic link put in a directory's place is not gone through. Safe for use by several
 * threads.
 */
final class FileTree {
    private static final int LOCATIONS = 1 << 19;

    /** Linux allows paths of 4096 bytes. */
    private static final int DEPTH_LIMIT = 2048;

    private final Path root;
    private final FileKey rootKey;
    private final AttributeSource attributes;
    private final HandleCodec handles;
    private final Generations generations;
    private final Locations locations;
    private final Discovery discovery;

    FileTree(Path root, AttributeSource attributes, HandleCodec handles, Generations generations, LongSupplier nanoTime)
            throws IOException {
        this.root = root;
        this.attributes = attributes;
        this.rootKey = attributes.key(root);
        this.handles = handles;
        this.generations = generations;
        this.locations = new Locations(LOCATIONS);
        this.discovery = new Discovery(root, attributes, locations, nanoTime);
    }

    /** The export's own directory. */
    Node root() throws IOException {
        return resolve(generations.current(rootKey));
    }

    boolean isRoot(Node node) {
        return node.key().equals(rootKey);
    }

    FileHandle handle(Node node) {
        return handles.encode(node.id());
    }

    /**
     * The file that a handle names, as it is now.
     *
     * @throws ExportException of BADHANDLE if it is not one of ours, of STALE if the file is gone, of JUKEBOX if it is still looked for
     */
    Node resolve(FileHandle handle) throws IOException {
        return resolve(handles.decode(handle)
                .orElseThrow(() -> new ExportException(Failure.BADHANDLE, "not a handle of this export: " + handle)));
    }

    private Node resolve(FileId id) throws IOException {
        if (!generations.current(id.key()).equals(id)) {
            throw stale(id);
        }
        Path path = known(id.key(), 0);
        if (path == null && discovery.find(id.key())) {
            path = known(id.key(), 0);
        }
        if (path == null) {
            throw stale(id);
        }
        try {
            FileAttributes now = attributes.read(path);
            if (now.key().equals(id.key())) {
                return new Node(id, path, now);
            }
        } catch (NoSuchFileException e) {
            throw stale(id);
        }
        throw stale(id);
    }

    private static ExportException stale(FileId id) {
        return new ExportException(Failure.STALE, "the file of the handle is gone: " + id);
    }

    private @Nullable Path known(FileKey key, int depth) throws IOException {
        if (key.equals(rootKey)) {
            return holds(root, key) ? root : null;
        }
        if (depth > DEPTH_LIMIT) {
            return null;
        }
        for (Locations.Location location : locations.of(key)) {
            Path directory = known(location.directory(), depth + 1);
            Path path = directory == null ? null : directory.resolve(location.name());
            if (path != null && holds(path, key)) {
                return path;
            }
            locations.forget(key, location.directory(), location.name());
        }
        return null;
    }

    private boolean holds(Path path, FileKey key) throws IOException {
        try {
            return attributes.key(path).equals(key);
        } catch (AccessDeniedException e) {
            throw e;
        } catch (FileSystemException absent) {
            return false;
        }
    }

    /** What a directory has by a name, or itself or its parent by "." and ".."; the root is its own parent. */
    Node child(Node directory, Path name) throws IOException {
        String text = name.toString();
        if (text.equals(".") || (text.equals("..") && isRoot(directory))) {
            return directory;
        } else if (text.equals("..")) {
            Path parent = directory.path().getParent();
            FileAttributes found = attributes.read(parent == null ? root : parent);
            return new Node(generations.current(found.key()), parent == null ? root : parent, found);
        }
        Path path = directory.path().resolve(name);
        FileAttributes found = attributes.read(path);
        locations.record(found.key(), directory.key(), name);
        return new Node(generations.current(found.key()), path, found);
    }

    /** The file as it is now, if its path still leads to it. */
    Node again(Node node) throws IOException {
        return resolve(node.id());
    }

    /** The file lost this name. */
    void removed(Node file, Node directory, Path name) {
        if (file.attributes().isDirectory() || file.attributes().links() <= 1) {
            locations.forget(file.key());
            generations.retire(file.key());
        } else {
            locations.forget(file.key(), directory.key(), name);
        }
    }

    /** The file has another name now. */
    void moved(Node file, Node from, Path oldName, Node to, Path newName) {
        locations.forget(file.key(), from.key(), oldName);
        locations.record(file.key(), to.key(), newName);
    }
}
