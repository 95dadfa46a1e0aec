// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The folder with what has to survive a restart of the server: the key of the file handles, and {@link KeptNames}. One server at a time can use it.
 *
 * @param folder the location, with links resolved
 */
record ServerState(Path folder, HandleKey key, FileChannel lock) implements AutoCloseable {
    /**
     * Opens the folder, and creates it if it does not exist.
     *
     * @throws IOException also if the folder is not this user's, others may write to it, or another server uses it
     */
    static ServerState in(Path folder) throws IOException {
        makePrivate(folder);
        FileChannel channel =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (lock(channel) == null) {
                throw new IOException("another server uses the state folder " + folder
                        + "; choose another one for this server (--state)");
            }
            return new ServerState(folder.toRealPath(), HandleKey.in(folder.resolve("handle-key")), channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static void makePrivate(Path folder) throws IOException {
        Path parent = folder.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
        try {
            if (posix) {
                Files.createDirectory(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } else {
                Files.createDirectory(folder);
            }
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(folder)) {
                throw e;
            }
            if (posix) {
                requirePrivate(folder);
            }
        }
    }

    private static void requirePrivate(Path folder) throws IOException {
        Set<PosixFilePermission> allowed = Files.getPosixFilePermissions(folder);
        if (allowed.contains(PosixFilePermission.GROUP_WRITE) || allowed.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IOException(
                    "the state folder " + folder
                            + " holds the key of the file handles, but others may write to it; chmod go-w, or choose another one");
        }
        UserPrincipal owner = Files.getOwner(folder);
        if (!owner.equals(ownerOfWhatIsMadeIn(folder))) {
            throw new IOException("the state folder " + folder + " holds the key of the file handles, and belongs to "
                    + owner.getName() + "; choose one that belongs to the server's user");
        }
    }

    /** The user of this process: the owner of a new file. Java has no call for this. */
    private static UserPrincipal ownerOfWhatIsMadeIn(Path folder) throws IOException {
        Path probe = Files.createTempFile(folder, "owner", null);
        try {
            return Files.getOwner(probe, LinkOption.NOFOLLOW_LINKS);
        } finally {
            Files.delete(probe);
        }
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException inThisProcess) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
