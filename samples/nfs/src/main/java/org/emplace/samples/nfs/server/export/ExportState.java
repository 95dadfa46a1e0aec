// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.emplace.samples.nfs.server.handle.Generations;
import org.emplace.samples.nfs.server.handle.HandleKey;
import org.jspecify.annotations.Nullable;

/** What has to outlive a server so that its handles do: a folder with the key and the generations, in use by one server at a time. */
final class ExportState implements AutoCloseable {
    private final HandleKey key;
    private final Generations generations;
    private final FileChannel lock;

    private ExportState(HandleKey key, Generations generations, FileChannel lock) {
        this.key = key;
        this.generations = generations;
        this.lock = lock;
    }

    /** @param lasting whether the keys of files mean the same after a restart; if not, handles must not either */
    static ExportState in(Path folder, boolean lasting) throws IOException {
        makePrivate(folder);
        FileChannel channel =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (lock(channel) == null) {
                throw new IOException("another server exports this directory: " + folder + " is in use");
            }
            HandleKey key = lasting ? HandleKey.in(folder.resolve("handle-key")) : HandleKey.random();
            if (!lasting) {
                Files.deleteIfExists(folder.resolve("generations"));
            }
            return new ExportState(key, Generations.in(folder.resolve("generations")), channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static void makePrivate(Path folder) throws IOException {
        Path parent = folder.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try {
            if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.createDirectory(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } else {
                Files.createDirectory(folder);
            }
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(folder)) {
                throw e;
            }
        }
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException inThisProcess) {
            return null;
        }
    }

    HandleKey key() {
        return key;
    }

    Generations generations() {
        return generations;
    }

    @Override
    public void close() throws IOException {
        try {
            generations.close();
        } finally {
            lock.close();
        }
    }
}
