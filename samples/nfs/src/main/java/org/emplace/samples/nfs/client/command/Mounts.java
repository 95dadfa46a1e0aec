// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.emplace.rpc.CallObserver;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.client.files.NfsPath;

/** The exports that a command works on. Each is opened as a file system once, when it is first needed. */
public final class Mounts implements AutoCloseable {
    private final Map<String, ?> environment;
    private final List<FileSystem> opened = new ArrayList<>();

    Mounts(MountSettings settings) {
        this(settings, CallObserver.NONE);
    }

    /** @param observer notified of every NFS call */
    public Mounts(MountSettings settings, CallObserver observer) {
        this.environment = settings.environment(observer);
    }

    /** A command's work on one file. */
    @FunctionalInterface
    interface Work {
        void on(Path file, Failures failures) throws IOException, InterruptedException;
    }

    /** Runs work on the files at these locations, one after the other, and reports failures. Returns the command's exit status. */
    static int forEach(MountSettings settings, String command, List<RemotePath> places, Work work)
            throws IOException, InterruptedException {
        Failures failures = new Failures(command);
        try (Mounts mounts = new Mounts(settings)) {
            for (RemotePath place : places) {
                failures.attempt(place, () -> work.on(mounts.path(place), failures));
            }
        }
        System.out.flush();
        return failures.exitStatus();
    }

    /** The path of an argument. */
    Path path(PathArgument place) throws IOException {
        return place.url().isPresent() ? path(place.url().get()) : place.local();
    }

    /** The path of a location on a server, in the longest export that holds it, whichever have been opened before. */
    public Path path(RemotePath place) throws IOException {
        URI uri = place.toUri();
        if (!isOpen(uri)) {
            opened.add(open(uri));
        }
        return Path.of(uri);
    }

    private static boolean isOpen(URI uri) {
        try {
            return !(Path.of(uri) instanceof NfsPath path && path.isOfInnerExport());
        } catch (FileSystemNotFoundException e) {
            return false;
        }
    }

    private FileSystem open(URI uri) throws IOException {
        try {
            return FileSystems.newFileSystem(uri, environment);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        } catch (FileSystemAlreadyExistsException e) {
            throw new IOException("The server has changed its exports in the meantime", e);
        }
    }

    /** Closes all of them, whichever fails. */
    @Override
    public void close() throws IOException {
        List<IOException> failures = new ArrayList<>();
        for (FileSystem fileSystem : opened) {
            try {
                fileSystem.close();
            } catch (IOException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            IOException first = failures.remove(0);
            failures.forEach(first::addSuppressed);
            throw first;
        }
    }
}
