// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.emplace.samples.nfs.server.store.AttributeChange.NewTime;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.jspecify.annotations.Nullable;

/** Reads and sets attributes. Never follows a symbolic link at the end of a path. Safe for use by several threads. */
interface AttributeSource {

    /**
     * The file at a path.
     *
     * @param key the file system's key of the file, if it has keys
     * @param attributes with number 0 if the file system does not number files
     */
    record Seen(@Nullable Object key, FileAttributes attributes) {}

    /** A file's key and attributes. */
    Seen read(Path path) throws IOException;

    /** Whether a path leads to the directory with a key, or to any directory if the key is null. Costs less than {@link #read}. */
    default boolean isDirectory(Path path, @Nullable Object key) throws IOException {
        BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return found.isDirectory() && (key == null || key.equals(found.fileKey()));
    }

    /** Sets permission bits. Not supported for symbolic links. */
    void setMode(Path path, FileAttributes now, int mode) throws IOException;

    /** Sets times. Not supported for FIFOs and devices: Java would open them, which may block or have effects. */
    default void setTimes(Path path, FileAttributes now, NewTime accessed, NewTime modified) throws IOException {
        if (!now.isRegular() && !now.isDirectory() && !now.isSymbolicLink()) {
            throw new StoreException(Failure.NOTSUPP, "times of special files cannot be set: " + path);
        }
        BasicFileAttributeView view =
                Files.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (view == null) {
            throw new StoreException(Failure.NOTSUPP, "the file system has no times to set");
        }
        view.setTimes(time(modified), time(accessed), null);
    }

    private static @Nullable FileTime time(NewTime time) {
        if (time instanceof NewTime.Given given) {
            return given.time();
        }
        return time instanceof NewTime.ServersNow ? FileTime.from(Instant.now()) : null;
    }
}
