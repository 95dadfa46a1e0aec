// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.jspecify.annotations.Nullable;

/** An error status in a server's reply. The message is that of Unix tools. */
public final class NfsException extends IOException {
    private static final long serialVersionUID = 1L;

    private final Nfsstat3 status;

    /** @param status the status in the reply */
    public NfsException(Nfsstat3 status) {
        super(text(status));
        this.status = status;
    }

    /** The status in the reply. */
    public Nfsstat3 status() {
        return status;
    }

    /**
     * The exception of {@link java.nio.file} for a call that failed.
     *
     * @param failure of this class if the server answered
     * @param file named in the exception
     * @param other the second file of the operation, if it has one
     */
    public static FileSystemException about(IOException failure, Path file, @Nullable Path other) {
        String name = file.toString();
        @Nullable String second = other == null ? null : other.toString();
        FileSystemException named = failure instanceof NfsException answered
                ? answered.named(name, second)
                : new FileSystemException(name, null, failure.getMessage());
        named.initCause(failure);
        return named;
    }

    /** Whether an exception of {@link #about} says that a file's handle is stale: that somebody has removed or replaced it. */
    public static boolean isStale(IOException failure, Path file) {
        return failure instanceof FileSystemException named
                && file.toString().equals(named.getFile())
                && named.getCause() instanceof NfsException answered
                && answered.status() == Nfsstat3.NFS3ERR_STALE;
    }

    private FileSystemException named(String file, @Nullable String other) {
        return switch (status) {
            case NFS3ERR_NOENT -> new NoSuchFileException(file, other, null);
            case NFS3ERR_ACCES -> new AccessDeniedException(file, other, null);
            case NFS3ERR_EXIST -> new FileAlreadyExistsException(file, other, null);
            case NFS3ERR_NOTEMPTY -> new DirectoryNotEmptyException(file);
            default -> new FileSystemException(file, other, getMessage());
        };
    }

    private static String text(Nfsstat3 status) {
        return switch (status) {
            case NFS3_OK -> "Success";
            case NFS3ERR_PERM -> "Operation not permitted";
            case NFS3ERR_NOENT -> "No such file or directory";
            case NFS3ERR_IO -> "Input/output error";
            case NFS3ERR_NXIO -> "No such device or address";
            case NFS3ERR_ACCES -> "Permission denied";
            case NFS3ERR_EXIST -> "File exists";
            case NFS3ERR_XDEV -> "Invalid cross-device link";
            case NFS3ERR_NODEV -> "No such device";
            case NFS3ERR_NOTDIR -> "Not a directory";
            case NFS3ERR_ISDIR -> "Is a directory";
            case NFS3ERR_INVAL -> "Invalid argument";
            case NFS3ERR_FBIG -> "File too large";
            case NFS3ERR_NOSPC -> "No space left on device";
            case NFS3ERR_ROFS -> "Read-only file system";
            case NFS3ERR_MLINK -> "Too many links";
            case NFS3ERR_NAMETOOLONG -> "File name too long";
            case NFS3ERR_NOTEMPTY -> "Directory not empty";
            case NFS3ERR_DQUOT -> "Disk quota exceeded";
            case NFS3ERR_STALE -> "Stale file handle";
            case NFS3ERR_REMOTE -> "Object is remote";
            case NFS3ERR_BADHANDLE -> "The server does not know its own file handle";
            case NFS3ERR_NOT_SYNC -> "The file has changed in the meantime";
            case NFS3ERR_BAD_COOKIE -> "The directory has changed in the meantime; try again";
            case NFS3ERR_NOTSUPP -> "Operation not supported";
            case NFS3ERR_TOOSMALL -> "A directory entry is larger than the reply may be";
            case NFS3ERR_SERVERFAULT -> "The server failed";
            case NFS3ERR_BADTYPE -> "Type of file not supported";
            case NFS3ERR_JUKEBOX -> "The server is fetching the file; try again later";
        };
    }
}
