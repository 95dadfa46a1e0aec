// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileType;

/**
 * Attributes on a file system without inodes. Unknown values get defaults: mode 0644 or 0755, user and group nobody, and as change time the later of
 * the other times. {@link NodeTree} adds the number and the links.
 */
final class PortableAttributes implements AttributeSource {
    private static final long NOBODY = 65534;
    /** The bit of the first permission; those of the others follow to the right. */
    private static final int OWNER_READ = 0400;

    @Override
    public Seen read(Path path) throws IOException {
        PosixFileAttributeView posix =
                Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        BasicFileAttributes basic = posix != null
                ? posix.readAttributes()
                : Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        FileTime modified = basic.lastModifiedTime();
        FileTime created = basic.creationTime();
        int mode = basic instanceof PosixFileAttributes known
                ? mode(known.permissions())
                : basic.isDirectory() ? 0755 : 0644;
        FileAttributes attributes = new FileAttributes(
                0,
                type(basic),
                mode,
                basic.isDirectory() ? 2 : 1,
                NOBODY,
                NOBODY,
                basic.size(),
                basic.size(),
                0,
                basic.lastAccessTime(),
                modified,
                created.compareTo(modified) > 0 ? created : modified);
        return new Seen(basic.fileKey(), attributes);
    }

    @Override
    public void setMode(Path path, FileAttributes now, int mode) throws IOException {
        PosixFileAttributeView posix =
                Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (posix != null) {
            posix.setPermissions(permissions(mode));
        }
    }

    private static FileType type(BasicFileAttributes attributes) {
        if (attributes.isDirectory()) {
            return FileType.DIRECTORY;
        } else if (attributes.isSymbolicLink()) {
            return FileType.SYMBOLIC_LINK;
        }
        return attributes.isRegularFile() ? FileType.REGULAR : FileType.FIFO;
    }

    private static int mode(Set<PosixFilePermission> permissions) {
        int mode = 0;
        int bit = OWNER_READ;
        for (PosixFilePermission permission : PosixFilePermission.values()) {
            mode |= permissions.contains(permission) ? bit : 0;
            bit >>= 1;
        }
        return mode;
    }

    private static Set<PosixFilePermission> permissions(int mode) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        int bit = OWNER_READ;
        for (PosixFilePermission permission : PosixFilePermission.values()) {
            if ((mode & bit) != 0) {
                permissions.add(permission);
            }
            bit >>= 1;
        }
        return permissions;
    }
}
