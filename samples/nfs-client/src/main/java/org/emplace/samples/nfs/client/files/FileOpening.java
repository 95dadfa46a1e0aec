// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.List;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.RemoteName;
import org.emplace.samples.nfs.client.calls.PathWalk;
import org.emplace.samples.nfs.client.calls.RemoteFiles;
import org.emplace.samples.nfs.client.calls.RemoteFiles.RemoteNode;
import org.emplace.samples.nfs.client.contents.CachedFile;
import org.emplace.samples.nfs.client.mount.NfsMount;
import org.emplace.samples.nfs.protocol.Constants;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.xdr.XdrString;
import org.jspecify.annotations.Nullable;

/** The opening of a file by its path. */
final class FileOpening {
    /** How often a file is looked up again when CREATE finds it there. */
    private static final int MOST_TRIES = 10;

    private final NfsFileSystem fileSystem;
    private final NfsMount mount;
    private final NfsPath path;
    private final Options.Open options;
    private final OpenNames.Opening opening;

    private FileOpening(
            NfsFileSystem fileSystem, NfsMount mount, NfsPath path, Options.Open options, OpenNames.Opening opening) {
        this.fileSystem = fileSystem;
        this.mount = mount;
        this.path = path;
        this.options = options;
        this.opening = opening;
    }

    /** Opens a file, or creates it if the options say so. */
    static NfsFileChannel open(NfsPath path, Options.Open options, long mode) throws IOException {
        NfsFileSystem fileSystem = path.getFileSystem();
        NfsPath.@Nullable SeenNode seen = options.write() ? null : path.takeSeenToOpen();
        boolean known =
                seen != null && seen.node().isRegularFile() && fileSystem.isCurrent(seen, options.followLinks());
        return fileSystem.perform(path, null, mount -> {
            CachedFile file;
            try (OpenNames.Opening opening = fileSystem.kept().opening()) {
                FileOpening work = new FileOpening(fileSystem, mount, path, options, opening);
                file = seen != null && known
                        ? work.opened(seen.node(), path.names(), false)
                        : options.mayCreate() ? work.created(mode) : work.existing();
            }
            NfsFileChannel channel = new NfsFileChannel(fileSystem, mount, path, file, options, known);
            fileSystem.opened(channel);
            return channel;
        });
    }

    /** Looks up and opens a file that exists. */
    static CachedFile reopen(NfsMount mount, NfsPath path, Options.Open options)
            throws IOException, InterruptedException {
        NfsFileSystem fileSystem = path.getFileSystem();
        try (OpenNames.Opening opening = fileSystem.kept().opening()) {
            return new FileOpening(fileSystem, mount, path, options, opening).existing();
        }
    }

    /**
     * Now that this program is known to have the file open, it is kept. If this program has changed its name before, it must still exist.
     *
     * @param names the path of the file without links
     */
    private CachedFile opened(RemoteNode node, List<XdrString> names, boolean truncate)
            throws IOException, InterruptedException {
        XdrString name = names.isEmpty() ? RemoteName.DOT : names.get(names.size() - 1);
        CachedFile file = mount.contents().open(node, fileSystem::changed);
        boolean done = false;
        try {
            if (opening.opened(node.handle(), name)) {
                mount.files().attributes(node.handle());
            }
            if (truncate) {
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

    private CachedFile existing() throws IOException, InterruptedException {
        PathWalk.Place place = fileSystem.kept().locate(opening, path.names(), options.followLinks());
        return existing(place.existing(), place.path());
    }

    /** The file, after a check of the caller's rights; truncated if the options say so. */
    private CachedFile existing(RemoteNode found, List<XdrString> names) throws IOException, InterruptedException {
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
        return opened(access.node(), names, options.truncate());
    }

    /**
     * Opens the file, or creates it by a guarded CREATE, which sets the mode at once. An exclusive CREATE would need a second call for
     * that, and leave a temporary file open to everybody in between.
     */
    private CachedFile created(long mode) throws IOException, InterruptedException {
        DirectoryEntries.Making<RemoteNode> creating =
                (directory, name) -> mount.files().create(directory, name, mode);
        if (options.createNew()) {
            return opened(fileSystem.entries().make(mount, path, opening, creating), path.names(), false);
        }
        for (int tries = 1; ; tries++) {
            PathWalk.Place place = fileSystem.kept().locate(opening, path.names(), options.followLinks());
            if (place.name().isEmpty()) {
                throw new NfsException(Nfsstat3.NFS3ERR_ISDIR);
            }
            if (place.node().isPresent()) {
                return existing(place.node().get(), place.path());
            }
            try {
                NfsFh3 directory = place.directory().handle();
                RemoteNode made =
                        fileSystem.entries().make(directory, place.name().get(), opening, creating);
                return opened(made, place.path(), false);
            } catch (NfsException e) {
                if (e.status() != Nfsstat3.NFS3ERR_EXIST || tries == MOST_TRIES) {
                    throw e;
                } // Somebody else has created it meanwhile.
            }
        }
    }
}
