// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Optional;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileType;
import org.emplace.samples.nfs.server.store.Store.Limits;
import org.emplace.samples.nfs.server.store.Store.Space;

/**
 * The result of statx(2) for a file.
 *
 * @param born when the file was created, if the file system knows that
 * @param mount the id of the mount on which the file is, if it was asked for by name; negative if not, or if the kernel does not tell
 */
record FileStatus(FileAttributes attributes, Optional<Instant> born, long mount) {
    private static final int BASIC = 0x7ff;
    private static final int BORN = 0x800;
    private static final int MOUNT = 0x1000;
    private static final int SIZE = 256;
    private static final long UNKNOWN = -1;
    private static final int MODE_BITS = 07777;
    private static final int BLOCK = 512;

    /** Calls statx(2) for an open file. */
    static FileStatus of(int descriptor) throws IOException {
        byte[] bytes = new byte[SIZE];
        Errno.check(SystemCalls.status(descriptor, BASIC | BORN, bytes), "reading attributes");
        return parse(bytes);
    }

    /** Calls statx(2) for an entry of an open directory. */
    static FileStatus of(int directory, byte[] name) throws IOException {
        byte[] bytes = new byte[SIZE];
        Errno.check(SystemCalls.status(directory, name, BASIC | BORN | MOUNT, bytes), "reading attributes");
        return parse(bytes);
    }

    /** The offsets are those of struct statx in linux/stat.h. */
    private static FileStatus parse(byte[] bytes) {
        ByteBuffer status = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        int mode = status.getShort(28) & 0xffff;
        FileAttributes attributes = new FileAttributes(
                status.getLong(32),
                FileType.ofMode(mode),
                mode & MODE_BITS,
                unsigned(status, 16),
                unsigned(status, 20),
                unsigned(status, 24),
                status.getLong(40),
                status.getLong(48) * BLOCK,
                device(unsigned(status, 128), unsigned(status, 132)),
                FileTime.from(time(status, 64)),
                FileTime.from(time(status, 112)),
                FileTime.from(time(status, 96)));
        int known = status.getInt(0);
        return new FileStatus(
                attributes,
                (known & BORN) == 0 ? Optional.empty() : Optional.of(time(status, 80)),
                (known & MOUNT) == 0 ? UNKNOWN : status.getLong(144));
    }

    private static long unsigned(ByteBuffer status, int at) {
        return status.getInt(at) & 0xffffffffL;
    }

    /** As glibc's makedev. */
    private static long device(long major, long minor) {
        return (major & 0xfff) << 8 | (major & ~0xfffL) << 32 | (minor & 0xff) | (minor & ~0xffL) << 12;
    }

    /** Some file systems keep any time that a local program sets. The extremes are beyond Java's range. */
    private static Instant time(ByteBuffer status, int at) {
        long seconds = status.getLong(at);
        if (seconds < Instant.MIN.getEpochSecond()) {
            return Instant.MIN;
        }
        return seconds > Instant.MAX.getEpochSecond()
                ? Instant.MAX
                : Instant.ofEpochSecond(seconds, status.getInt(at + Long.BYTES));
    }

    /** The result of statvfs(3) for a file system. */
    record FileSystemStatus(Space space, boolean readOnly, int longestName) {
        private static final int FIELDS = 16;
        private static final int READ_ONLY = 1;
        private static final int LINKS_LIMIT = 0;

        /** The value of glibc for file systems that it does not know. They allow more. */
        private static final long LINKS_UNKNOWN = 127;

        /** @param file any file of the file system that is open for reading */
        static FileSystemStatus of(Descriptor file) throws IOException {
            long[] status = new long[FIELDS];
            Errno.check(SystemCalls.fileSystemStatus(file.number(), status), "asking for room on the file system");
            long unit = status[1];
            Space space = new Space(status[2] * unit, status[3] * unit, status[4] * unit, status[5], status[6]);
            return new FileSystemStatus(space, (status[9] & READ_ONLY) != 0, (int) status[10]);
        }

        /** The limits of a store on it. Linux does not tell the largest size of a file. */
        Limits limits(Descriptor file, boolean actsAsCaller) {
            long links = SystemCalls.limit(file.number(), LINKS_LIMIT);
            long mostLinks = links > 0 && links != LINKS_UNKNOWN ? links : Integer.MAX_VALUE;
            return new Limits(true, actsAsCaller, true, true, true, readOnly, mostLinks, longestName, Long.MAX_VALUE);
        }
    }
}
