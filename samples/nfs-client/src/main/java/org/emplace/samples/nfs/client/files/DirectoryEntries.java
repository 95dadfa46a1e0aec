// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.Optional;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.RemoteName;
import org.emplace.samples.nfs.client.calls.PathWalk;
import org.emplace.samples.nfs.client.calls.RemoteAttributes;
import org.emplace.samples.nfs.client.calls.RemoteFiles.RemoteNode;
import org.emplace.samples.nfs.client.mount.NfsMount;
import org.emplace.samples.nfs.protocol.Diropargs3;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.xdr.XdrString;
import org.jspecify.annotations.Nullable;

/** Creates, renames and removes the entries of directories. */
final class DirectoryEntries {
    private static final Logger LOG = System.getLogger(DirectoryEntries.class.getName());

    private final NfsFileSystem fileSystem;

    DirectoryEntries(NfsFileSystem fileSystem) {
        this.fileSystem = fileSystem;
    }

    /** Creates an entry of a directory. */
    @FunctionalInterface
    interface Making<R> {
        R in(NfsFh3 directory, XdrString name) throws IOException, InterruptedException;
    }

    /**
     * Creates an entry by one call. If that fails, looks whether the entry exists: a server may report missing rights or a read-only file
     * system before it looks.
     *
     * @param by the opening that needs it; null if nobody opens it
     */
    <R> R make(NfsMount mount, NfsPath path, OpenNames.@Nullable Opening by, Making<R> making)
            throws IOException, InterruptedException {
        List<XdrString> names = path.names();
        if (names.isEmpty() || RemoteName.isDots(names.get(names.size() - 1))) {
            mount.locate(names, false);
            throw new NfsException(Nfsstat3.NFS3ERR_EXIST);
        }
        NfsFh3 directory = parent(mount, path).handle();
        XdrString name = names.get(names.size() - 1);
        try {
            return make(directory, name, by, making);
        } catch (NfsException e) {
            boolean taken = e.status() != Nfsstat3.NFS3ERR_STALE
                    && mount.locate(names, false).node().isPresent();
            throw taken ? new NfsException(Nfsstat3.NFS3ERR_EXIST) : e;
        }
    }

    /** The same in a directory. Waits while a file of this name is replaced, and has a hidden one for a moment. */
    <R> R make(NfsFh3 directory, XdrString name, OpenNames.@Nullable Opening by, Making<R> making)
            throws IOException, InterruptedException {
        Diropargs3 place = new Diropargs3(directory, name);
        return fileSystem.changing(
                mount -> fileSystem.kept().changing(by, calls -> making.in(directory, name), place), directory);
    }

    /** The directory of a path's last name; may come from the cache. */
    private static RemoteNode parent(NfsMount mount, NfsPath path) throws IOException, InterruptedException {
        List<XdrString> names = path.names();
        RemoteNode parent = mount.directory(names.subList(0, names.size() - 1));
        if (!parent.isDirectory()) {
            throw new NfsException(Nfsstat3.NFS3ERR_NOTDIR);
        }
        return parent;
    }

    void createDirectory(NfsPath path, long mode) throws IOException {
        fileSystem.perform(
                path,
                null,
                mount -> make(
                        mount,
                        path,
                        null,
                        (directory, name) ->
                                mount.createDirectory(path.names(), directory, RemoteAttributes.mode(mode))));
    }

    void createSymbolicLink(NfsPath link, XdrString target) throws IOException {
        fileSystem.perform(
                link,
                null,
                mount -> make(mount, link, null, (directory, name) -> {
                    mount.files().createLink(directory, name, target);
                    return link;
                }));
    }

    void createLink(NfsPath link, NfsPath existing) throws IOException {
        fileSystem.perform(link, existing, mount -> {
            NfsFh3 file = locate(existing).existing().handle();
            return make(
                    mount,
                    link,
                    null,
                    (directory, name) -> fileSystem.changing(
                            calls -> {
                                calls.files().link(file, directory, name);
                                return link;
                            },
                            file));
        });
    }

    void deleteEntry(NfsPath path) throws IOException {
        Optional<RemoteNode> listed = path.listed();
        Optional<NfsFh3> directory = path.listedIn();
        if (listed.isEmpty() || directory.isEmpty()) {
            delete(path);
            return;
        }
        XdrString name = path.names().get(path.names().size() - 1);
        fileSystem.perform(path, null, mount -> {
            remove(path, directory.get(), name, listed.get());
            return path;
        });
    }

    void delete(NfsPath path) throws IOException {
        fileSystem.perform(path, null, mount -> {
            Optional<RemoteNode> listed = path.listed();
            if (listed.isEmpty() || !removeListed(mount, path, listed.get())) {
                remove(path, locate(path));
            }
            return path;
        });
    }

    void deleteForGood(NfsPath path) throws IOException {
        fileSystem.perform(path, null, mount -> {
            PathWalk.Place place = locate(path);
            if (place.node().isPresent() && place.name().isPresent()) {
                NfsFh3 directory = place.directory().handle();
                mount.files().remove(directory, place.name().get());
            }
            return path;
        });
    }

    /** Removes a file by what a listing knew of it, without a LOOKUP. Returns whether that worked. */
    private boolean removeListed(NfsMount mount, NfsPath path, RemoteNode listed)
            throws IOException, InterruptedException {
        RemoteNode directory = parent(mount, path);
        try {
            remove(path, directory.handle(), path.names().get(path.names().size() - 1), listed);
            return true;
        } catch (NfsException e) {
            return false; // It may be another file now; removal with a LOOKUP reports what is wrong.
        }
    }

    /** Deletes a file, unless another has its name by now. */
    void delete(NfsPath path, NfsFh3 file) throws IOException {
        fileSystem.perform(path, null, mount -> {
            if (!remove(path, file)) {
                throw new FileSystemException(path.toString(), null, "Has been replaced in the meantime: not deleted");
            }
            return path;
        });
    }

    private boolean remove(NfsPath path, NfsFh3 file) throws IOException, InterruptedException {
        PathWalk.Place place = locate(path);
        boolean same = place.existing().handle().equals(file);
        if (same) {
            remove(path, place);
        }
        return same;
    }

    private PathWalk.Place locate(NfsPath path) throws IOException, InterruptedException {
        return fileSystem.kept().locate(path.names(), false);
    }

    private void remove(NfsPath path, PathWalk.Place place) throws IOException, InterruptedException {
        remove(path, place.directory().handle(), place.name().orElseThrow(() -> noEntry(path)), place.existing());
    }

    private void remove(NfsPath path, NfsFh3 directory, XdrString name, RemoteNode file)
            throws IOException, InterruptedException {
        try {
            fileSystem.changing(
                    calls -> {
                        if (file.isDirectory()) {
                            calls.files().removeDirectory(directory, name);
                        } else {
                            fileSystem.kept().remove(new Diropargs3(directory, name));
                        }
                        return path;
                    },
                    file.handle(),
                    directory);
        } catch (NfsException e) {
            boolean notEmpty = e.status() == Nfsstat3.NFS3ERR_EXIST || e.status() == Nfsstat3.NFS3ERR_NOTEMPTY;
            if (notEmpty && file.isDirectory()) {
                throw new DirectoryNotEmptyException(path.toString());
            }
            throw e;
        }
    }

    /**
     * Renames by one RENAME, which replaces an existing target if the types permit that.
     *
     * @throws AtomicMoveNotSupportedException if the server has the files in different file systems
     */
    void rename(NfsPath from, NfsPath to) throws IOException {
        fileSystem.changed(); // with a directory, everything below it moves
        try {
            fileSystem.perform(from, to, mount -> {
                XdrString name = nameToMove(from);
                XdrString newName = nameToMove(to);
                try {
                    RemoteNode source = parent(mount, from);
                    RemoteNode target = parent(mount, to);
                    fileSystem
                            .kept()
                            .rename(new Diropargs3(source.handle(), name), new Diropargs3(target.handle(), newName));
                } catch (NfsException e) {
                    throw switch (e.status()) {
                        case NFS3ERR_EXIST, NFS3ERR_NOTEMPTY ->
                            new FileSystemException(from.toString(), to.toString(), e.getMessage());
                        case NFS3ERR_XDEV ->
                            new AtomicMoveNotSupportedException(from.toString(), to.toString(), e.getMessage());
                        default -> e;
                    };
                }
                return name;
            });
        } finally {
            fileSystem.changed();
        }
    }

    private static XdrString nameToMove(NfsPath path) throws FileSystemException {
        List<XdrString> names = path.names();
        if (names.isEmpty() || RemoteName.isDots(names.get(names.size() - 1))) {
            throw noEntry(path);
        }
        return names.get(names.size() - 1);
    }

    private static FileSystemException noEntry(NfsPath path) {
        return new FileSystemException(path.toString(), null, "The root or a path that ends in dots");
    }

    /** Deletes a DELETE_ON_CLOSE file, unless another file has its name by now. A failure is only logged. */
    void removeQuietly(NfsPath path, NfsFh3 file) throws InterruptedException {
        try {
            remove(path, file);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "not deleted on close: " + path, e);
        }
    }
}
