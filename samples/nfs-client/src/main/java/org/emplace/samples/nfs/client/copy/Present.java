// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.copy;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Objects;
import java.util.Optional;
import org.emplace.samples.nfs.client.files.NfsFileAttributes;
import org.emplace.samples.nfs.client.files.NfsPath;
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

    /**
     * The entries of a directory that is not reached by a link, even if somebody puts one in its place meanwhile; empty if there is something
     * else. See {@link NfsPath#entries}.
     *
     * @param listed what a listing knew of it; null if it was not listed
     */
    static Optional<DirectoryStream<Path>> entries(Path path, @Nullable PosixFileAttributes listed) throws IOException {
        if (path instanceof NfsPath remote) {
            return remote.entries();
        }
        Optional<PosixFileAttributes> seen = (listed == null
                        ? at(path, LinkOption.NOFOLLOW_LINKS)
                        : Optional.of(listed))
                .filter(BasicFileAttributes::isDirectory);
        if (seen.isEmpty()) {
            return Optional.empty();
        }
        DirectoryStream<Path> entries = path.getFileSystem().provider().newDirectoryStream(path, entry -> true);
        boolean same = false;
        try {
            same = !(entries instanceof SecureDirectoryStream<Path> opened)
                    || Objects.equals(
                            seen.get().fileKey(),
                            opened.getFileAttributeView(BasicFileAttributeView.class)
                                    .readAttributes()
                                    .fileKey());
        } finally {
            if (!same) {
                entries.close();
            }
        }
        if (!same) {
            throw new FileSystemException(path.toString(), null, "Has been replaced in the meantime");
        }
        return Optional.of(entries);
    }

    /**
     * Whether a path, which need not exist, is a directory or leads into it, by the identity of the files and not by their names. The
     * directory may be in another export of the same server, which holds the export of the path.
     */
    static boolean isWithin(Path path, Path directory) throws IOException {
        Object identity = identity(directory);
        @Nullable Path above = existing(path.toAbsolutePath());
        while (above != null) {
            if (identity(above).equals(identity)) {
                return true;
            }
            @Nullable Path parent = above.getParent();
            above = parent == null ? inOuterExport(above, directory) : parent;
        }
        return false;
    }

    /**
     * Whether a file, or what a link leads to, is the one at the target: to put a copy in its place would destroy what is copied. A server
     * may show it by two addresses, and in two exports.
     */
    static boolean isSource(Path from, PosixFileAttributes present, Path target) throws IOException {
        boolean hasServer = from.getFileSystem() == target.getFileSystem()
                || (from instanceof NfsPath source && target instanceof NfsPath ours && source.hasServerOf(ours));
        if (present.isSymbolicLink() || !(hasServer || (from instanceof NfsPath && target instanceof NfsPath))) {
            return false;
        }
        @Nullable PosixFileAttributes file = at(from).orElse(null);
        @Nullable Object key = present.fileKey();
        return file != null
                && ((hasServer && key != null && key.equals(file.fileKey()))
                        || (from instanceof NfsPath source
                                && file instanceof NfsFileAttributes here
                                && target instanceof NfsPath ours
                                && present instanceof NfsFileAttributes there
                                && source.maybeSameFile(here, ours, there)));
    }

    /** The last directory on the way to a path that exists. */
    private static @Nullable Path existing(Path path) throws IOException {
        @Nullable Path above = path;
        while (above != null && at(above).isEmpty()) {
            above = above.getParent();
        }
        return above == null ? null : above.toRealPath();
    }

    /**
     * The root of an export as a directory of another export that holds it. They are exports of one server if their addresses are equal or,
     * as one server may have several addresses, if the identities of the directories are.
     */
    private static @Nullable Path inOuterExport(Path root, Path other) throws IOException {
        if (!(root instanceof NfsPath inner && other instanceof NfsPath outer)) {
            return null;
        }
        Optional<NfsPath> there = inner.rootIn(outer);
        if (there.isEmpty()) {
            return null;
        }
        @Nullable Path found = existing(there.get());
        return found != null && (inner.hasServerOf(outer) || hasNumberOf(found, root)) ? found : null;
    }

    /** A server may have another number for the file system in each export, but not for the file. */
    private static boolean hasNumberOf(Path file, Path other) throws IOException {
        return attributes(file) instanceof NfsFileAttributes first
                && attributes(other) instanceof NfsFileAttributes second
                && first.nfs().fileid() == second.nfs().fileid();
    }

    private static PosixFileAttributes attributes(Path file) throws IOException {
        return Files.readAttributes(file, PosixFileAttributes.class);
    }

    /** A file system without keys has its paths. */
    private static Object identity(Path file) throws IOException {
        @Nullable
        Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        return Objects.requireNonNullElseGet(key, () -> file.toAbsolutePath().normalize());
    }
}
