// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.nio.file.CopyOption;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.emplace.samples.nfs.client.calls.RemoteAttributes;
import org.emplace.samples.nfs.client.mount.CallerIdentity;

/** Parses the options and initial attributes of {@link java.nio.file.Files}. Rejects those that are not supported. */
final class Options {
    private static final long UMASK = CallerIdentity.umask();
    private static final long FILE_MODE = 0666;
    private static final long DIRECTORY_MODE = 0777;

    private Options() {}

    /** How a file is opened. */
    record Open(
            boolean read,
            boolean write,
            boolean append,
            boolean truncate,
            boolean create,
            boolean createNew,
            boolean deleteOnClose,
            boolean stable,
            boolean followLinks) {

        static Open of(Set<? extends OpenOption> options) {
            Set<OpenOption> left = new HashSet<>(options);
            boolean append = left.remove(StandardOpenOption.APPEND);
            boolean write = left.remove(StandardOpenOption.WRITE) || append;
            boolean read = left.remove(StandardOpenOption.READ) || !write;
            boolean truncate = left.remove(StandardOpenOption.TRUNCATE_EXISTING);
            if (append && (truncate || options.contains(StandardOpenOption.READ))) {
                throw new IllegalArgumentException("a file to append to cannot be read or truncated");
            }
            boolean create = left.remove(StandardOpenOption.CREATE);
            boolean createNew = left.remove(StandardOpenOption.CREATE_NEW);
            boolean delete = left.remove(StandardOpenOption.DELETE_ON_CLOSE);
            boolean sync = left.remove(StandardOpenOption.SYNC);
            boolean stable = left.remove(StandardOpenOption.DSYNC) || sync;
            boolean follow = !left.remove(LinkOption.NOFOLLOW_LINKS) && !delete; // as the default file system does
            left.remove(StandardOpenOption.SPARSE); // a hint
            refuse(left);
            return new Open(
                    read,
                    write,
                    append,
                    write && truncate,
                    write && create,
                    write && createNew,
                    delete,
                    stable,
                    follow);
        }

        /** Whether to create the file if it does not exist. */
        boolean mayCreate() {
            return create || createNew;
        }
    }

    /** What a copy or move is to do. */
    record Copy(boolean replace, boolean attributes, boolean atomic, boolean followLinks) {

        static Copy of(CopyOption... options) {
            Set<CopyOption> left = new HashSet<>();
            for (CopyOption option : options) {
                left.add(Objects.requireNonNull(option));
            }
            boolean replace = left.remove(StandardCopyOption.REPLACE_EXISTING);
            boolean attributes = left.remove(StandardCopyOption.COPY_ATTRIBUTES);
            boolean atomic = left.remove(StandardCopyOption.ATOMIC_MOVE);
            boolean follow = !left.remove(LinkOption.NOFOLLOW_LINKS);
            refuse(left);
            return new Copy(replace, attributes, atomic, follow);
        }
    }

    private static void refuse(Set<?> unknown) {
        if (!unknown.isEmpty()) {
            throw new UnsupportedOperationException("not supported: " + unknown);
        }
    }

    /** Whether symbolic links at the end of a path are followed. */
    static boolean follow(LinkOption... options) {
        boolean follow = true;
        for (LinkOption option : options) {
            follow &= Objects.requireNonNull(option) != LinkOption.NOFOLLOW_LINKS;
        }
        return follow;
    }

    /** The mode of a new file. */
    static long fileMode(FileAttribute<?>... attributes) {
        return mode(FILE_MODE, attributes);
    }

    /** The mode of a new directory. */
    static long directoryMode(FileAttribute<?>... attributes) {
        return mode(DIRECTORY_MODE, attributes);
    }

    /** A mode without the bits of this process's umask. */
    static long masked(long mode) {
        return mode & ~UMASK;
    }

    private static long mode(long usual, FileAttribute<?>... attributes) {
        long mode = usual;
        for (FileAttribute<?> attribute : attributes) {
            if (!attribute.name().equals("posix:permissions")) {
                throw new UnsupportedOperationException("not supported as an initial attribute: " + attribute.name());
            }
            mode = RemoteAttributes.mode(permissions(attribute.value()));
        }
        return masked(mode);
    }

    /** @throws ClassCastException if it is something else */
    static Set<PosixFilePermission> permissions(Object value) {
        Set<PosixFilePermission> permissions = new HashSet<>();
        ((Set<?>) value).forEach(each -> permissions.add(PosixFilePermission.class.cast(each)));
        return permissions;
    }
}
