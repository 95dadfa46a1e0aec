// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

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
import java.util.Locale;
import java.util.Map;
import org.emplace.samples.nfs.server.store.Store.FileOperation;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.jspecify.annotations.Nullable;

/**
 * Maps exceptions of the file system to failures of the protocol. If Java has no exception class for an errno, this class uses the system's message;
 * the command runs in the C.UTF-8 locale, so that it is English.
 */
final class ErrorMapping {
    private static final Map<String, Failure> BY_TEXT = Map.ofEntries(
            Map.entry("operation not permitted", Failure.PERM),
            Map.entry("permission denied", Failure.ACCES),
            Map.entry("no such file or directory", Failure.NOENT),
            Map.entry("file exists", Failure.EXIST),
            Map.entry("invalid cross-device link", Failure.XDEV),
            Map.entry("not a directory", Failure.NOTDIR),
            Map.entry("is a directory", Failure.ISDIR),
            Map.entry("invalid argument", Failure.INVAL),
            Map.entry("too many levels of symbolic links", Failure.INVAL),
            Map.entry("file too large", Failure.FBIG),
            Map.entry("no space left on device", Failure.NOSPC),
            Map.entry("read-only file system", Failure.ROFS),
            Map.entry("too many links", Failure.MLINK),
            Map.entry("file name too long", Failure.NAMETOOLONG),
            Map.entry("directory not empty", Failure.NOTEMPTY),
            Map.entry("disk quota exceeded", Failure.DQUOT),
            Map.entry("stale file handle", Failure.STALE),
            Map.entry("operation not supported", Failure.NOTSUPP),
            Map.entry("device or resource busy", Failure.ACCES),
            Map.entry("text file busy", Failure.ACCES),
            Map.entry("file still open", Failure.JUKEBOX),
            Map.entry("too many open files", Failure.JUKEBOX),
            Map.entry("too many open files in system", Failure.JUKEBOX),
            Map.entry("cannot allocate memory", Failure.JUKEBOX),
            Map.entry("resource temporarily unavailable", Failure.JUKEBOX),
            Map.entry("interrupted system call", Failure.JUKEBOX));

    private ErrorMapping() {}

    /**
     * Runs an operation.
     *
     * @throws StoreException for a failure that the protocol has a status for
     */
    static <T> T translated(FileOperation<T> operation) throws IOException {
        try {
            return operation.run();
        } catch (StoreException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            Failure failure = failureOf(e);
            if (failure == null) {
                throw e;
            }
            StoreException translated = new StoreException(failure, String.valueOf(e.getMessage()));
            translated.initCause(e);
            throw translated;
        }
    }

    /** The protocol's status for a failure; null if it is a defect of the store. */
    static @Nullable Failure failureOf(Throwable thrown) {
        if (thrown instanceof StoreException known) {
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
        return null;
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

    /** Removes the text that the JDK appends to messages about files opened with NOFOLLOW_LINKS. */
    private static String withoutOption(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        int added = lower.indexOf(" (nofollow_links");
        int or = lower.indexOf(" or unable to access attributes of symbolic link");
        return added >= 0 ? lower.substring(0, added) : or >= 0 ? lower.substring(0, or) : lower;
    }
}
