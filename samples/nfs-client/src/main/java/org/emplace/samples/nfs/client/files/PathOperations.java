// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.RemoteName;
import org.emplace.samples.nfs.client.calls.PathWalk;
import org.emplace.samples.nfs.client.calls.RemoteAttributes;
import org.emplace.samples.nfs.client.calls.RemoteFiles;
import org.emplace.samples.nfs.client.calls.RemoteNode;
import org.emplace.samples.nfs.client.contents.CachedFile;
import org.emplace.samples.nfs.client.mount.NfsMount;
import org.emplace.samples.nfs.protocol.Constants;
import org.emplace.samples.nfs.protocol.Fsstat3Resok;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.Sattr3;
import org.emplace.xdr.XdrString;
import org.jspecify.annotations.Nullable;

/** The operations of {@link java.nio.file.Files} on paths. */
final class PathOperations {
    /** How long the attributes of a listing are used. */
    private static final long LISTED_NANOS = Duration.ofSeconds(1).toNanos();

    /** How often a file is looked up again when CREATE finds it there. */
    private static final int MOST_TRIES = 10;

    private static final Logger LOG = System.getLogger(PathOperations.class.getName());

    private final NfsFileSystem fileSystem;

    PathOperations(NfsFileSystem fileSystem) {
        this.fileSystem = fileSystem;
    }

    private static RemoteNode node(NfsMount mount, NfsPath path, boolean followLast)
            throws IOException, InterruptedException {
        return mount.locate(path.names(), followLast).existing();
    }

    /** A file's attributes, after the channels of this file system have sent their writes. */
    NfsFileAttributes attributes(NfsPath path, boolean followLinks) throws IOException {
        NfsPath.@Nullable SeenNode seen = path.takeSeen();
        if (seen != null && isGoodEnough(seen, followLinks)) {
            return new NfsFileAttributes(seen.node().attributes());
        }
        return fileSystem.perform(path, null, mount -> {
            long changes = fileSystem.changes();
            RemoteNode node = node(mount, path, followLinks);
            mount.contents().flush(node.handle());
            if (fileSystem.isUnchanged(node.handle(), changes)) { // or a WRITE may have followed the LOOKUP
                return new NfsFileAttributes(node.attributes());
            }
            Optional<CachedFile> open = mount.contents().find(node.handle());
            return new NfsFileAttributes(
                    open.isPresent() ? open.get().attributes() : mount.files().attributes(node.handle()));
        });
    }

    private boolean isGoodEnough(NfsPath.SeenNode seen, boolean followLinks) {
        return fileSystem.isOpen()
                && fileSystem.isUnchanged(seen.node().handle(), seen.changes())
                && System.nanoTime() - seen.nanoTime() < LISTED_NANOS
                && !(followLinks && seen.node().isSymbolicLink());
    }

    void change(NfsPath path, boolean followLinks, Sattr3 attributes) throws IOException {
        fileSystem.perform(path, null, mount -> {
            RemoteNode node = node(mount, path, followLinks);
            mount.contents().flush(node.handle()); // or WRITEs that follow would change the times again
            return changing(mount, calls -> calls.files().setAttributes(node.handle(), attributes), node.handle());
        });
    }

    /** Makes a change that affects only these files. */
    private <R> R changing(NfsMount mount, NfsFileSystem.Work<R> change, NfsFh3... files)
            throws IOException, InterruptedException {
        fileSystem.changed(files);
        try {
            return change.run(mount);
        } finally {
            fileSystem.changed(files);
        }
    }

    NfsFileChannel open(NfsPath path, Options.Open options, long mode) throws IOException {
        NfsPath.@Nullable SeenNode seen = options.write() ? null : path.takeSeenToOpen();
        boolean known = seen != null && seen.node().isRegularFile() && isGoodEnough(seen, options.followLinks());
        return fileSystem.perform(path, null, mount -> {
            CachedFile file = seen != null && known
                    ? opened(mount, seen.node(), path.names())
                    : options.mayCreate() ? created(mount, path, options, mode) : reopen(mount, path, options);
            NfsFileChannel channel = new NfsFileChannel(fileSystem, mount, path, file, options, known);
            fileSystem.opened(channel);
            return channel;
        });
    }

    /** Looks up and opens a file that exists. */
    CachedFile reopen(NfsMount mount, NfsPath path, Options.Open options) throws IOException, InterruptedException {
        PathWalk.Place place = mount.locate(path.names(), options.followLinks());
        return existing(mount, path, place.existing(), place.path(), options);
    }

    /** @param names the path of the file without links */
    private CachedFile opened(NfsMount mount, RemoteNode node, List<XdrString> names) {
        CachedFile file = mount.contents().open(node, fileSystem::changed);
        fileSystem.kept().opened(node.handle(), names.isEmpty() ? RemoteName.DOT : names.get(names.size() - 1));
        return file;
    }

    /** The file, after a check of the caller's rights; truncated if the options say so. */
    private CachedFile existing(
            NfsMount mount, NfsPath path, RemoteNode found, List<XdrString> names, Options.Open options)
            throws IOException, InterruptedException {
        if (found.isSymbolicLink()) {
            throw new FileSystemException(
                    path.toString(), null, "Is a symbolic link, which the options forbid to follow");
        }
        if (found.isDirectory() && options.write()) {
            throw new NfsException(Nfsstat3.NFS3ERR_ISDIR);
        }
        mount.contents().flush(found.handle());
        int write = options.write() ? Constants.ACCESS3_MODIFY | Constants.ACCESS3_EXTEND : 0;
        int rights = (options.read() ? Constants.ACCESS3_READ : 0) | write;
        RemoteFiles.Access access = mount.files().access(found.handle(), rights);
        if (!access.granted()) {
            throw new AccessDeniedException(path.toString());
        }
        CachedFile file = opened(mount, access.node(), names);
        boolean done = false;
        try {
            if (options.truncate()) {
                file.setSize(0);
            }
            done = true;
            return file;
        } finally {
            if (!done) {
                fileSystem.closed(file);
            }
        }
    }

    /**
     * Opens the file, or creates it by a guarded CREATE, which sets the mode at once. An exclusive CREATE would need a second call for
     * that, and leave a temporary file open to everybody in between.
     */
    private CachedFile created(NfsMount mount, NfsPath path, Options.Open options, long mode)
            throws IOException, InterruptedException {
        if (options.createNew()) {
            RemoteNode made =
                    make(mount, path, (directory, name) -> mount.files().create(directory, name, mode));
            return opened(mount, made, path.names());
        }
        for (int tries = 1; ; tries++) {
            PathWalk.Place place = mount.locate(path.names(), options.followLinks());
            if (place.name().isEmpty()) {
                throw new NfsException(Nfsstat3.NFS3ERR_ISDIR);
            }
            if (place.node().isPresent()) {
                return existing(mount, path, place.node().get(), place.path(), options);
            }
            try {
                NfsFh3 directory = place.directory().handle();
                RemoteNode made = changing(
                        mount,
                        calls -> calls.files().create(directory, place.name().get(), mode),
                        directory);
                return opened(mount, made, place.path());
            } catch (NfsException e) {
                if (e.status() != Nfsstat3.NFS3ERR_EXIST || tries == MOST_TRIES) {
                    throw e;
                } // Somebody else has created it meanwhile.
            }
        }
    }

    /** Creates an entry of a directory. */
    @FunctionalInterface
    private interface Making<R> {
        R in(NfsFh3 directory, XdrString name) throws IOException, InterruptedException;
    }

    /**
     * Creates an entry by one call. If that fails, looks whether the entry exists: a server may report missing rights or a read-only file
     * system before it looks.
     */
    private <R> R make(NfsMount mount, NfsPath path, Making<R> making) throws IOException, InterruptedException {
        List<XdrString> names = path.names();
        if (names.isEmpty() || RemoteName.isDots(names.get(names.size() - 1))) {
            mount.locate(names, false);
            throw new NfsException(Nfsstat3.NFS3ERR_EXIST);
        }
        NfsFh3 directory = parent(mount, path).handle();
        try {
            return changing(mount, calls -> making.in(directory, names.get(names.size() - 1)), directory);
        } catch (NfsException e) {
            boolean taken = e.status() != Nfsstat3.NFS3ERR_STALE
                    && mount.locate(names, false).node().isPresent();
            throw taken ? new NfsException(Nfsstat3.NFS3ERR_EXIST) : e;
        }
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

    DirectoryStream<Path> list(NfsPath path, DirectoryStream.Filter<? super Path> filter) throws IOException {
        return fileSystem.perform(path, null, mount -> {
            NfsFh3 directory = directoryToList(mount, path);
            return new NfsDirectoryStream(path, mount.directories().open(directory), filter, true);
        });
    }

    /** The directory that a path leads to. */
    NfsFh3 directoryToList(NfsMount mount, NfsPath path) throws IOException, InterruptedException {
        RemoteNode node = nodeToList(mount, path);
        if (!node.isDirectory()) {
            throw new NotDirectoryException(path.toString());
        }
        return node.handle();
    }

    Optional<DirectoryStream<Path>> entries(NfsPath path) throws IOException {
        return fileSystem.perform(path, null, mount -> {
            Optional<RemoteNode> listed = path.listed();
            RemoteNode node = listed.isPresent() ? listed.get() : node(mount, path, false);
            return node.isDirectory()
                    ? Optional.of(
                            new NfsDirectoryStream(path, mount.directories().open(node.handle()), entry -> true, false))
                    : Optional.empty();
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
            remove(mount, path, directory.get(), name, listed.get());
            return path;
        });
    }

    private static RemoteNode nodeToList(NfsMount mount, NfsPath path) throws IOException, InterruptedException {
        try {
            return node(mount, path, true);
        } catch (NfsException e) {
            if (e.status() == Nfsstat3.NFS3ERR_NOTDIR) {
                throw new NotDirectoryException(path.toString());
            }
            throw e;
        }
    }

    void createDirectory(NfsPath path, long mode) throws IOException {
        fileSystem.perform(
                path,
                null,
                mount -> make(
                        mount,
                        path,
                        (directory, name) ->
                                mount.createDirectory(path.names(), directory, RemoteAttributes.mode(mode))));
    }

    void createSymbolicLink(NfsPath link, XdrString target) throws IOException {
        fileSystem.perform(
                link,
                null,
                mount -> make(mount, link, (directory, name) -> {
                    mount.files().createLink(directory, name, target);
                    return link;
                }));
    }

    void createLink(NfsPath link, NfsPath existing) throws IOException {
        fileSystem.perform(link, existing, mount -> {
            PathWalk.Place place = mount.locate(existing.names(), false);
            NfsFh3 file = place.existing().handle();
            place.name()
                    .ifPresent(name -> fileSystem
                            .kept()
                            .named(name, link.names().get(link.names().size() - 1)));
            return make(
                    mount,
                    link,
                    (directory, name) -> changing(
                            mount,
                            calls -> {
                                calls.files().link(file, directory, name);
                                return link;
                            },
                            file));
        });
    }

    XdrString readLink(NfsPath link) throws IOException {
        return fileSystem.perform(link, null, mount -> {
            RemoteNode node = node(mount, link, false);
            if (!node.isSymbolicLink()) {
                throw new NotLinkException(link.toString());
            }
            return mount.files().readLink(node.handle());
        });
    }

    void delete(NfsPath path) throws IOException {
        fileSystem.perform(path, null, mount -> {
            Optional<RemoteNode> listed = path.listed();
            if (listed.isEmpty() || !removeListed(mount, path, listed.get())) {
                remove(mount, path);
            }
            return path;
        });
    }

    void deleteForGood(NfsPath path) throws IOException {
        fileSystem.perform(path, null, mount -> {
            PathWalk.Place place = mount.locate(path.names(), false);
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
            remove(
                    mount,
                    path,
                    directory.handle(),
                    path.names().get(path.names().size() - 1),
                    listed);
            return true;
        } catch (NfsException e) {
            return false; // It may be another file now; removal with a LOOKUP reports what is wrong.
        }
    }

    private void remove(NfsMount mount, NfsPath path) throws IOException, InterruptedException {
        PathWalk.Place place = mount.locate(path.names(), false);
        remove(
                mount,
                path,
                place.directory().handle(),
                place.name().orElseThrow(() -> noEntry(path)),
                place.existing());
    }

    private void remove(NfsMount mount, NfsPath path, NfsFh3 directory, XdrString name, RemoteNode file)
            throws IOException, InterruptedException {
        try {
            changing(
                    mount,
                    calls -> {
                        if (file.isDirectory()) {
                            calls.files().removeDirectory(directory, name);
                        } else if (fileSystem.kept().isOpen(file.handle())) {
                            fileSystem.kept().hide(file.handle(), directory, name);
                        } else {
                            calls.files().remove(directory, name);
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
                    Optional<KeptFiles.Hidden> hidden = keepReplaced(mount, source, name, target, newName);
                    fileSystem.kept().named(name, newName);
                    rename(mount, source, name, target, newName, hidden);
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

    /** Keeps the target of a rename if it is open. If the source does not exist, or is the same file, nothing is replaced. */
    private Optional<KeptFiles.Hidden> keepReplaced(
            NfsMount mount, RemoteNode from, XdrString name, RemoteNode to, XdrString newName)
            throws IOException, InterruptedException {
        if (!fileSystem.kept().mayBeOpen(newName)) {
            return Optional.empty();
        }
        Optional<RemoteNode> replaced = mount.files().find(to.handle(), newName);
        if (replaced.isPresent() && fileSystem.kept().isOpen(replaced.get().handle())) {
            Optional<RemoteNode> replacing = mount.files().find(from.handle(), name);
            if (replacing.isPresent()
                    && !replacing.get().isDirectory()
                    && !replacing.get().handle().equals(replaced.get().handle())) {
                return fileSystem.kept().keep(replaced.get().handle(), to.handle(), newName);
            }
        }
        return Optional.empty();
    }

    /** If it fails, a file that was hidden for it gets its name again. */
    private void rename(
            NfsMount mount,
            RemoteNode from,
            XdrString name,
            RemoteNode to,
            XdrString newName,
            Optional<KeptFiles.Hidden> hidden)
            throws IOException, InterruptedException {
        boolean isUncertain = true;
        try {
            mount.files().rename(from.handle(), name, to.handle(), newName);
            isUncertain = false;
        } catch (NfsException e) {
            isUncertain = false;
            if (hidden.isPresent()) {
                fileSystem.kept().restore(hidden.get());
            }
            throw e;
        } finally {
            if (isUncertain && hidden.isPresent()) {
                fileSystem.kept().leave(hidden.get());
            }
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

    void checkAccess(NfsPath path, AccessMode... modes) throws IOException {
        fileSystem.perform(path, null, mount -> {
            RemoteNode node = node(mount, path, true);
            int wanted = 0;
            for (AccessMode mode : modes) {
                wanted |= switch (mode) {
                    case READ -> Constants.ACCESS3_READ;
                    case WRITE -> Constants.ACCESS3_MODIFY | Constants.ACCESS3_EXTEND;
                    case EXECUTE -> node.isDirectory() ? Constants.ACCESS3_LOOKUP : Constants.ACCESS3_EXECUTE;
                };
            }
            if (wanted != 0 && !mount.files().access(node.handle(), wanted).granted()) {
                throw new AccessDeniedException(path.toString());
            }
            return node;
        });
    }

    boolean isSameFile(NfsPath path, NfsPath other) throws IOException {
        RemoteNode first = fileSystem.perform(path, null, mount -> node(mount, path, true));
        RemoteNode second = other.getFileSystem().perform(other, null, mount -> node(mount, other, true));
        return new NfsFileAttributes(first.attributes())
                        .fileKey()
                        .equals(new NfsFileAttributes(second.attributes()).fileKey())
                && (fileSystem.equals(other.getFileSystem()) || first.handle().equals(second.handle()));
    }

    Fsstat3Resok space(NfsPath path) throws IOException {
        return fileSystem.perform(
                path, null, mount -> mount.files().space(node(mount, path, true).handle()));
    }

    /** The path without dots, and without links if they are followed. */
    Path realPath(NfsPath path, boolean followLinks) throws IOException {
        PathWalk.Place place = fileSystem.perform(path, null, mount -> mount.locate(path.names(), followLinks));
        if (place.node().isEmpty()) {
            throw new NoSuchFileException(path.toString());
        }
        return followLinks ? fileSystem.path(place.path()) : withoutDots(path);
    }

    /** Keeps double dots after a link, because they lead to the parent of the link's target. */
    private Path withoutDots(NfsPath path) throws IOException {
        List<XdrString> kept = new ArrayList<>();
        for (XdrString name : path.names()) {
            boolean up = name.equals(RemoteName.DOT_DOT)
                    && !kept.isEmpty()
                    && !kept.get(kept.size() - 1).equals(RemoteName.DOT_DOT)
                    && !attributes(fileSystem.path(kept), false).isSymbolicLink();
            if (up) {
                kept.remove(kept.size() - 1);
            } else if (!name.equals(RemoteName.DOT)) {
                kept.add(name);
            }
        }
        return fileSystem.path(kept);
    }

    /** Deletes a DELETE_ON_CLOSE file, unless another file has its name by now. A failure is only logged. */
    void removeQuietly(NfsMount mount, NfsPath path, NfsFh3 file) throws InterruptedException {
        try {
            PathWalk.Place place = mount.locate(path.names(), false);
            if (place.name().isPresent() && place.existing().handle().equals(file)) {
                remove(mount, path, place.directory().handle(), place.name().get(), place.existing());
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "not deleted on close: " + path, e);
        }
    }
}
