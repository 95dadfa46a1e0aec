// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Objects;
import org.emplace.samples.nfs.server.handle.FileKey;

/** The attributes as the system has them, by the {@code unix} view of the JDK's own file system on Unix. */
final class UnixAttributes implements AttributeSource {
    private static final String ALL = "unix:mode,nlink,uid,gid,size,rdev,dev,ino,lastAccessTime,lastModifiedTime,ctime";
    private static final String KEY = "unix:dev,ino";
    private static final int MODE_BITS = 07777;

    private final long rootDevice;

    UnixAttributes(Path root) throws IOException {
        rootDevice = number(Files.readAttributes(root, KEY, LinkOption.NOFOLLOW_LINKS), "dev");
    }

    @Override
    public boolean isLasting() {
        return true;
    }

    @Override
    public FileAttributes read(Path path) throws IOException {
        Map<String, Object> values = Files.readAttributes(path, ALL, LinkOption.NOFOLLOW_LINKS);
        int mode = (int) number(values, "mode");
        return new FileAttributes(
                key(values),
                FileType.ofMode(mode),
                mode & MODE_BITS,
                number(values, "nlink"),
                number(values, "uid") & 0xffffffffL,
                number(values, "gid") & 0xffffffffL,
                number(values, "size"),
                number(values, "rdev"),
                time(values, "lastAccessTime"),
                time(values, "lastModifiedTime"),
                time(values, "ctime"));
    }

    @Override
    public FileKey key(Path path) throws IOException {
        return key(Files.readAttributes(path, KEY, LinkOption.NOFOLLOW_LINKS));
    }

    private FileKey key(Map<String, Object> values) {
        long device = number(values, "dev");
        return new FileKey(device == rootDevice ? 0 : device, number(values, "ino"));
    }

    /**
     * Without following a link, Java sets the mode through a descriptor opened for reading. That fails for a file its owner may not read, and
     * would wait for a writer of a FIFO; there the mode is set by path, which the caller has just seen not to be a symbolic link.
     */
    @Override
    public void setMode(Path path, FileAttributes now, int mode) throws IOException {
        if (now.isRegular() || now.isDirectory()) {
            try {
                Files.setAttribute(path, "unix:mode", mode & MODE_BITS, LinkOption.NOFOLLOW_LINKS);
                return;
            } catch (AccessDeniedException e) {
                if (!key(path).equals(now.key())) {
                    throw e;
                }
            }
        }
        Files.setAttribute(path, "unix:mode", mode & MODE_BITS);
    }

    @Override
    public void setOwner(Path path, long uid, long gid) throws IOException {
        if (uid >= 0) {
            Files.setAttribute(path, "unix:uid", (int) uid, LinkOption.NOFOLLOW_LINKS);
        }
        if (gid >= 0) {
            Files.setAttribute(path, "unix:gid", (int) gid, LinkOption.NOFOLLOW_LINKS);
        }
    }

    private static long number(Map<String, Object> values, String name) {
        return ((Number) Objects.requireNonNull(values.get(name), name)).longValue();
    }

    private static FileTime time(Map<String, Object> values, String name) {
        return (FileTime) Objects.requireNonNull(values.get(name), name);
    }
}
