// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Objects;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileType;

/** The attributes in the {@code unix} view of the JDK's file system on Unix. */
final class UnixAttributes implements AttributeSource {
    private static final String ALL =
            "unix:mode,nlink,uid,gid,size,rdev,dev,ino,lastAccessTime,lastModifiedTime,ctime,fileKey";
    private static final int MODE_BITS = 07777;
    private static final int SET_USER_ID = 04000;
    private static final int SET_GROUP_ID = 02000;
    private static final int DEVICE_SHIFT = 44;

    private final long rootDevice;

    UnixAttributes(Path root) throws IOException {
        rootDevice = number(Files.readAttributes(root, "unix:dev", LinkOption.NOFOLLOW_LINKS), "dev");
    }

    @Override
    public Seen read(Path path) throws IOException {
        Map<String, Object> values = Files.readAttributes(path, ALL, LinkOption.NOFOLLOW_LINKS);
        int mode = (int) number(values, "mode");
        long size = number(values, "size");
        FileType type = FileType.ofMode(mode);
        boolean device = type.isDevice();
        FileAttributes attributes = new FileAttributes(
                fileNumber(values),
                type,
                mode & MODE_BITS,
                number(values, "nlink"),
                number(values, "uid") & 0xffffffffL,
                number(values, "gid") & 0xffffffffL,
                size,
                size,
                device ? number(values, "rdev") : 0,
                time(values, "lastAccessTime"),
                time(values, "lastModifiedTime"),
                time(values, "ctime"));
        return new Seen(values.get("fileKey"), attributes);
    }

    /** The number of a file. A file on another file system that is mounted below the root gets a different number. */
    private long fileNumber(Map<String, Object> values) {
        long device = number(values, "dev");
        return number(values, "ino") ^ ((device ^ rootDevice) << DEVICE_SHIFT);
    }

    /**
     * Sets the mode. Without following links, Java opens the file for reading to set its mode. This fails for a file that its owner may not read, and
     * would wait for the writer of a FIFO. In these cases the mode is set by path, which the caller has just seen not to be a symbolic link.
     */
    @Override
    public void setMode(Path path, FileAttributes now, int wanted) throws IOException {
        int mode = wanted & settable(now);
        if (now.isRegular() || now.isDirectory()) {
            try {
                Files.setAttribute(path, "unix:mode", mode, LinkOption.NOFOLLOW_LINKS);
                return;
            } catch (AccessDeniedException e) {
                if (read(path).attributes().number() != now.number()) {
                    throw e;
                }
            }
        }
        Files.setAttribute(path, "unix:mode", mode);
    }

    /** All callers act as the server's user, so none may create programs that run as that user or with one of its groups. */
    private static int settable(FileAttributes file) {
        return MODE_BITS & ~(file.isDirectory() ? SET_USER_ID : SET_USER_ID | SET_GROUP_ID);
    }

    private static long number(Map<String, Object> values, String name) {
        return ((Number) Objects.requireNonNull(values.get(name), name)).longValue();
    }

    private static FileTime time(Map<String, Object> values, String name) {
        return (FileTime) Objects.requireNonNull(values.get(name), name);
    }
}
