// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.Sattr3;
import org.emplace.xdr.XdrString;

/** Copies files and trees to the server, with their modes and times; symbolic links stay links. */
public final class Upload implements AutoCloseable {
    private static final int OWNER_MAY_WRITE = 0600;
    private static final int OWNER_MAY_ENTER = 0700;

    private final NfsMount mount;
    private final CopyListener listener;
    private final CopyTasks tasks;
    private final Deque<FinishedDirectory> directories = new ArrayDeque<>();

    /** @param listener told of progress and of what fails */
    public Upload(NfsMount mount, CopyListener listener) {
        this.mount = mount;
        this.listener = listener;
        this.tasks = new CopyTasks(listener);
    }

    /** A directory that gets its mode and times when everything in it is there. */
    private record FinishedDirectory(Path from, Sattr3 attributes, NfsFh3 to) {}

    /**
     * Copies a file, or a directory with all that is in it. Returns when all has been copied or has failed; nothing more can be copied
     * with this object then.
     *
     * @param directory where the copy goes
     * @param name what it is to be called
     */
    public void copy(Path from, NfsFh3 directory, XdrString name) throws InterruptedException {
        copyEntry(from, directory, name);
        tasks.finish();
        while (!directories.isEmpty()) {
            FinishedDirectory last = directories.pop();
            try {
                mount.files().setAttributes(last.to(), last.attributes());
            } catch (IOException e) {
                listener.failed(last.from().toString(), e);
            }
        }
    }

    private void copyEntry(Path from, NfsFh3 directory, XdrString name) throws InterruptedException {
        try {
            PosixFileAttributes local =
                    Files.readAttributes(from, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (local.isRegularFile()) {
                listener.planned(local.size());
                tasks.submit(from.toString(), () -> file(from, local, directory, name));
            } else if (local.isDirectory()) {
                directory(from, local, directory, name);
            } else if (local.isSymbolicLink()) {
                link(from, directory, name);
            } else {
                throw new IOException("Is a device, socket or pipe: not copied");
            }
        } catch (IOException e) {
            listener.failed(from.toString(), e);
        }
    }

    private void directory(Path from, PosixFileAttributes local, NfsFh3 directory, XdrString name)
            throws IOException, InterruptedException {
        NfsFh3 to = enter(directory, name, RemoteAttributes.modeOf(local) | OWNER_MAY_ENTER);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(from)) {
            for (Path entry : entries) {
                copyEntry(entry, to, RemoteName.of(entry.getFileName()));
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        directories.push(new FinishedDirectory(from, RemoteAttributes.of(local), to));
    }

    private NfsFh3 enter(NfsFh3 parent, XdrString name, long mode) throws IOException, InterruptedException {
        try {
            return mount.files()
                    .createDirectory(parent, name, RemoteAttributes.mode(mode))
                    .handle();
        } catch (NfsException e) {
            if (e.status() == Nfsstat3.NFS3ERR_EXIST) {
                RemoteNode present = mount.files().lookup(parent, name);
                if (present.isDirectory()) {
                    return present.handle();
                }
                throw new IOException("'" + RemoteName.printable(name) + "' already exists and is not a directory", e);
            }
            throw e;
        }
    }

    private void file(Path from, PosixFileAttributes local, NfsFh3 directory, XdrString name)
            throws IOException, InterruptedException {
        try (FileChannel source = FileChannel.open(from, StandardOpenOption.READ)) {
            Sattr3 created = RemoteAttributes.emptyWithMode(RemoteAttributes.modeOf(local) | OWNER_MAY_WRITE);
            NfsFh3 to = mount.files().create(directory, name, created).handle();
            mount.writer().write(source, to, listener::moved);
            mount.files().setAttributes(to, RemoteAttributes.of(local));
        }
    }

    private void link(Path from, NfsFh3 directory, XdrString name) throws IOException, InterruptedException {
        Optional<RemoteNode> present = mount.files().find(directory, name);
        if (present.isPresent() && present.get().isSymbolicLink()) {
            mount.files().remove(directory, name);
        }
        mount.files().createLink(directory, name, RemoteName.of(Files.readSymbolicLink(from)));
    }

    /** Gives up what {@link #copy} has not finished. */
    @Override
    public void close() {
        tasks.stop();
    }
}
