// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.copy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is at a path before something is copied or moved there. A failure to look is thrown: it does not show that nothing is there. */
public final class Present {
    private Present() {}

    /** The attributes of a file, or empty if it does not exist. */
    static Optional<PosixFileAttributes> at(Path path, LinkOption... options) throws IOException {
        try {
            return Optional.of(Files.readAttributes(path, PosixFileAttributes.class, options));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Whether there is a directory, or a link to one unless the options forbid to follow it. */
    public static boolean isDirectory(Path path, LinkOption... options) throws IOException {
        return at(path, options).filter(BasicFileAttributes::isDirectory).isPresent();
    }

    /** Whether a path, which need not exist, is a directory or leads into it, by the identity of the files and not by their names. */
    static boolean isWithin(Path path, Path directory) throws IOException {
        Object identity = identity(directory);
        @Nullable Path above = path.toAbsolutePath();
        while (above != null && at(above).isEmpty()) {
            above = above.getParent();
        }
        for (above = above == null ? null : above.toRealPath(); above != null; above = above.getParent()) {
            if (identity(above).equals(identity)) {
                return true;
            }
        }
        return false;
    }

    /** A file system without keys has its paths. */
    private static Object identity(Path file) throws IOException {
        @Nullable
        Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        return Objects.requireNonNullElseGet(key, () -> file.toAbsolutePath().normalize());
    }
}
