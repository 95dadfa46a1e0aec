// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.xdr.XdrString;

/**
 * Copies files and trees from the server, with their modes and times; symbolic links stay links. A file appears under its name when it is
 * complete. Whatever the server sends, nothing is written outside the target directory.
 */
public final class Download implements AutoCloseable {
    private static final int DEEPEST = 1000;

    private final NfsMount mount;
    private final CopyListener listener;
    private final CopyTasks tasks;
    private final PartFiles parts = new PartFiles();
    private final Deque<FinishedDirectory> directories = new ArrayDeque<>();

    /** @param listener told of progress and of what fails */
    public Download(NfsMount mount, CopyListener listener) {
        this.mount = mount;
        this.listener = listener;
        this.tasks = new CopyTasks(listener);
    }

    /** A directory that gets its mode and times when everything in it is there. */
    private record FinishedDirectory(RemotePath from, Fattr3 attributes, Path to) {}

    /**
     * Copies a file, or a directory with all that is in it. Returns when all has been copied or has failed; nothing more can be copied
     * with this object then.
     *
     * @param from the file's place on the server, for messages
     * @param to what the copy is to be called
     */
    public void copy(RemotePath from, RemoteNode node, Path to) throws InterruptedException {
        copy(from, node, to, 0);
        tasks.finish();
        while (!directories.isEmpty()) {
            FinishedDirectory last = directories.pop();
            try {
                RemoteAttributes.apply(last.attributes(), last.to());
            } catch (IOException e) {
                failed(last.from(), last.to(), e);
            }
        }
    }

    private void copy(RemotePath from, RemoteNode node, Path to, int depth) throws InterruptedException {
        try {
            switch (node.attributes().type()) {
                case NF3REG -> {
                    listener.planned(node.attributes().size());
                    tasks.submit(from.toString(), () -> file(from, node, to));
                }
                case NF3DIR -> directory(from, node, to, depth);
                case NF3LNK -> link(node, to);
                case NF3BLK, NF3CHR, NF3SOCK, NF3FIFO ->
                    throw new IOException("Is a device, socket or pipe: not copied");
            }
        } catch (IOException e) {
            failed(from, to, e);
        }
    }

    /** Names the local file where that is at fault. */
    private void failed(RemotePath from, Path to, IOException cause) {
        boolean local = cause instanceof FileSystemException;
        listener.failed(local ? RemoteName.printable(RemoteName.of(to)) : from.toString(), cause);
    }

    private void directory(RemotePath from, RemoteNode node, Path to, int depth)
            throws IOException, InterruptedException {
        if (depth > DEEPEST) {
            throw new IOException("Directories are nested more than " + DEEPEST + " deep");
        }
        enter(to, depth);
        for (DirectoryReader.Entry entry : mount.directories().list(node.handle())) {
            XdrString name = entry.name();
            copy(from.child(name), entry.node(), RemoteName.in(to, name), depth + 1);
        }
        directories.push(new FinishedDirectory(from, node.attributes(), to));
    }

    /** Makes sure that a directory is there, and below the top one that it is no link to elsewhere. */
    private static void enter(Path directory, int depth) throws IOException {
        try {
            Files.createDirectory(directory);
        } catch (FileAlreadyExistsException e) {
            boolean present =
                    depth == 0 ? Files.isDirectory(directory) : Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS);
            if (!present) {
                throw new IOException("'" + directory + "' already exists and is not a directory", e);
            }
        }
    }

    private void file(RemotePath from, RemoteNode node, Path to) throws InterruptedException {
        try {
            file(node, to);
        } catch (IOException e) {
            failed(from, to, e);
        }
    }

    private void file(RemoteNode node, Path to) throws IOException, InterruptedException {
        Path part = parts.createFor(to);
        try {
            try (FileChannel out = FileChannel.open(part, StandardOpenOption.WRITE)) {
                mount.reader().read(node.handle(), node.attributes().size(), (bytes, offset) -> {
                    int length = bytes.remaining();
                    for (long at = offset; bytes.hasRemaining(); ) {
                        at += out.write(bytes, at);
                    }
                    listener.moved(length);
                });
            }
            RemoteAttributes.apply(node.attributes(), part);
            Files.move(part, to, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            parts.delete(part);
        }
    }

    private void link(RemoteNode node, Path to) throws IOException, InterruptedException {
        Path target = RemoteName.target(to, mount.files().readLink(node.handle()));
        Path part = parts.createFor(to);
        try {
            Files.delete(part);
            Files.createSymbolicLink(part, target);
            RemoteAttributes.applyTimes(node.attributes(), part);
            // Renaming over a directory fails: a link never takes the place of a directory that files go into.
            Files.move(part, to, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            parts.delete(part);
        }
    }

    /** Gives up what {@link #copy} has not finished. */
    @Override
    public void close() {
        tasks.stop();
        parts.close();
    }
}
