// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.nio.file.ReadOnlyFileSystemException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * From what the file system throws to what the protocol says. Where Java has no exception of its own for an errno, the system's text for it
 * tells; the command runs in the C.UTF-8 locale, so that this text is English.
 */
public final class ErrorMapping {
    private static final Map<String, Failure> BY_TEXT = Map.ofEntries(
            Map.entry("Operation not permitted", Failure.PERM),
            Map.entry("Permission denied", Failure.ACCES),
            Map.entry("No such file or directory", Failure.NOENT),
            Map.entry("File exists", Failure.EXIST),
            Map.entry("Invalid cross-device link", Failure.XDEV),
            Map.entry("Not a directory", Failure.NOTDIR),
            Map.entry("Is a directory", Failure.ISDIR),
            Map.entry("Invalid argument", Failure.INVAL),
            Map.entry("Too many levels of symbolic links", Failure.INVAL),
            Map.entry("File too large", Failure.FBIG),
            Map.entry("No space left on device", Failure.NOSPC),
            Map.entry("Read-only file system", Failure.ROFS),
            Map.entry("Too many links", Failure.MLINK),
            Map.entry("File name too long", Failure.NAMETOOLONG),
            Map.entry("Directory not empty", Failure.NOTEMPTY),
            Map.entry("Disk quota exceeded", Failure.DQUOT),
            Map.entry("Stale file handle", Failure.STALE),
            Map.entry("Operation not supported", Failure.NOTSUPP),
            Map.entry("Device or resource busy", Failure.ACCES),
            Map.entry("Text file busy", Failure.ACCES),
            Map.entry("Too many open files", Failure.JUKEBOX),
            Map.entry("Too many open files in system", Failure.JUKEBOX),
            Map.entry("Cannot allocate memory", Failure.JUKEBOX),
            Map.entry("Resource temporarily unavailable", Failure.JUKEBOX),
            Map.entry("Interrupted system call", Failure.JUKEBOX));

    private ErrorMapping() {}

    /** The protocol's name for a failure; {@link Failure#SERVERFAULT} for what is a fault of the server's own. */
    public static Failure failureOf(Throwable thrown) {
        if (thrown instanceof ExportException known) {
            return known.failure();
        } else if (thrown instanceof UncheckedIOException || thrown instanceof DirectoryIteratorException) {
            Throwable cause = thrown.getCause();
            return cause == null ? Failure.IO : failureOf(cause);
        } else if (thrown instanceof FileSystemException inFileSystem) {
            return ofFileSystem(inFileSystem);
        } else if (thrown instanceof ClosedChannelException) {
            return Failure.JUKEBOX;
        } else if (thrown instanceof IOException) {
            return byText(thrown.getMessage());
        } else if (thrown instanceof ReadOnlyFileSystemException) {
            return Failure.ROFS;
        } else if (thrown instanceof UnsupportedOperationException) {
            return Failure.NOTSUPP;
        } else if (thrown instanceof SecurityException) {
            return Failure.ACCES;
        }
        return Failure.SERVERFAULT;
    }

    private static Failure ofFileSystem(FileSystemException thrown) {
        if (thrown instanceof NoSuchFileException) {
            return Failure.NOENT;
        } else if (thrown instanceof FileAlreadyExistsException) {
            return Failure.EXIST;
        } else if (thrown instanceof DirectoryNotEmptyException) {
            return Failure.NOTEMPTY;
        } else if (thrown instanceof NotDirectoryException) {
            return Failure.NOTDIR;
        } else if (thrown instanceof AccessDeniedException) {
            return Failure.ACCES;
        } else if (thrown instanceof AtomicMoveNotSupportedException) {
            return Failure.XDEV;
        } else if (thrown instanceof NotLinkException || thrown instanceof FileSystemLoopException) {
            return Failure.INVAL;
        }
        return byText(thrown.getReason());
    }

    private static Failure byText(@Nullable String text) {
        return text == null ? Failure.IO : BY_TEXT.getOrDefault(withoutOption(text), Failure.IO);
    }

    /** The JDK adds to some texts that it opened with NOFOLLOW_LINKS. */
    private static String withoutOption(String text) {
        int added = text.indexOf(" (NOFOLLOW_LINKS");
        int or = text.indexOf(" or unable to access attributes of symbolic link");
        return added >= 0 ? text.substring(0, added) : or >= 0 ? text.substring(0, or) : text;
    }
}
