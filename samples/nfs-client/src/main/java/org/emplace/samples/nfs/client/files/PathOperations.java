// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.DirectoryStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.RemoteName;
import org.emplace.samples.nfs.client.calls.PathWalk;
import org.emplace.samples.nfs.client.calls.RemoteFiles.RemoteNode;
import org.emplace.samples.nfs.client.contents.CachedFile;
import org.emplace.samples.nfs.protocol.Constants;
import org.emplace.samples.nfs.protocol.Fsstat3Resok;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.Sattr3;
import org.emplace.xdr.XdrString;
import org.jspecify.annotations.Nullable;

/** What {@link java.nio.file.Files} finds out about paths, and the attributes that it changes. */
final class PathOperations {
    private final NfsFileSystem fileSystem;

    PathOperations(NfsFileSystem fileSystem) {
        this.fileSystem = fileSystem;
    }

    private RemoteNode node(NfsPath path, boolean followLast) throws IOException, InterruptedException {
        return fileSystem.kept().locate(path.names(), followLast).existing();
    }

    /** A file's attributes, after the channels of this file system have sent their writes. */
    NfsFileAttributes attributes(NfsPath path, boolean followLinks) throws IOException {
        NfsPath.@Nullable SeenNode seen = path.takeSeen();
        if (seen != null && fileSystem.isCurrent(seen, followLinks)) {
            return new NfsFileAttributes(seen.node().attributes());
        }
        return fileSystem.perform(path, null, mount -> {
            long changes = fileSystem.changes();
            RemoteNode node = node(path, followLinks);
            mount.contents().flush(node.handle());
            if (fileSystem.isUnchanged(node.handle(), changes)) { // or a WRITE may have followed the LOOKUP
                return new NfsFileAttributes(node.attributes());
            }
            Optional<CachedFile> open = mount.contents().find(node.handle());
            return new NfsFileAttributes(
                    open.isPresent() ? open.get().attributes() : mount.files().attributes(node.handle()));
        });
    }

    /** Sends what the channels of this file system have written. */
    void flush(NfsPath path, boolean followLinks) throws IOException {
        fileSystem.perform(path, null, mount -> {
            NfsFh3 file = node(path, followLinks).handle();
            mount.contents().flush(file);
            return file;
        });
    }

    /** A file as the server has it now. */
    RemoteNode current(NfsPath path, boolean followLinks) throws IOException {
        return fileSystem.perform(path, null, mount -> node(path, followLinks));
    }

    void change(NfsPath path, boolean followLinks, Sattr3 attributes) throws IOException {
        fileSystem.perform(path, null, mount -> {
            RemoteNode node = node(path, followLinks);
            mount.contents().flush(node.handle()); // or WRITEs that follow would change the times again
            return fileSystem.changing(calls -> calls.files().setAttributes(node.handle(), attributes), node.handle());
        });
    }

    DirectoryStream<Path> list(NfsPath path, DirectoryStream.Filter<? super Path> filter) throws IOException {
        return fileSystem.perform(path, null, mount -> {
            NfsFh3 directory = directoryToList(path);
            return new NfsDirectoryStream(path, mount.directories().open(directory), filter, true);
        });
    }

    /** The directory that a path leads to. */
    NfsFh3 directoryToList(NfsPath path) throws IOException, InterruptedException {
        RemoteNode node = nodeToList(path);
        if (!node.isDirectory()) {
            throw new NotDirectoryException(path.toString());
        }
        return node.handle();
    }

    /** Whether the file that a listing found still has its name. */
    boolean hasListedFile(NfsPath path) throws IOException {
        return fileSystem.perform(
                path,
                null,
                mount -> fileSystem
                        .kept()
                        .locate(path.names(), false)
                        .node()
                        .map(RemoteNode::handle)
                        .equals(path.listed().map(RemoteNode::handle)));
    }

    Optional<DirectoryStream<Path>> entries(NfsPath path) throws IOException {
        return fileSystem.perform(path, null, mount -> {
            Optional<RemoteNode> listed = path.listed();
            RemoteNode node = listed.isPresent() ? listed.get() : node(path, false);
            return node.isDirectory()
                    ? Optional.of(
                            new NfsDirectoryStream(path, mount.directories().open(node.handle()), entry -> true, false))
                    : Optional.empty();
        });
    }

    private RemoteNode nodeToList(NfsPath path) throws IOException, InterruptedException {
        try {
            return node(path, true);
        } catch (NfsException e) {
            if (e.status() == Nfsstat3.NFS3ERR_NOTDIR) {
                throw new NotDirectoryException(path.toString());
            }
            throw e;
        }
    }

    XdrString readLink(NfsPath link) throws IOException {
        return fileSystem.perform(link, null, mount -> {
            RemoteNode node = node(link, false);
            if (!node.isSymbolicLink()) {
                throw new NotLinkException(link.toString());
            }
            return mount.files().readLink(node.handle());
        });
    }

    void checkAccess(NfsPath path, AccessMode... modes) throws IOException {
        fileSystem.perform(path, null, mount -> {
            RemoteNode node = node(path, true);
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
        RemoteNode first = current(path, true);
        NfsFileSystem others = other.getFileSystem();
        RemoteNode second = others.operations().current(other, true);
        NfsFileAttributes here = new NfsFileAttributes(first.attributes());
        NfsFileAttributes there = new NfsFileAttributes(second.attributes());
        boolean sameKey = here.fileKey().equals(there.fileKey());
        return fileSystem.equals(others)
                ? sameKey
                : (sameKey && first.handle().equals(second.handle())) || path.maybeSameFile(here, other, there);
    }

    Fsstat3Resok space(NfsPath path) throws IOException {
        return fileSystem.perform(
                path, null, mount -> mount.files().space(node(path, true).handle()));
    }

    /** The path without dots, and without links if they are followed. */
    Path realPath(NfsPath path, boolean followLinks) throws IOException {
        PathWalk.Place place =
                fileSystem.perform(path, null, mount -> fileSystem.kept().locate(path.names(), followLinks));
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
}
