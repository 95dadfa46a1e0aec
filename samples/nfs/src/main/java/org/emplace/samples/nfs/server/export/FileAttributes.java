// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.nio.file.attribute.FileTime;
import org.emplace.samples.nfs.server.handle.FileKey;

/**
 * What is known of a file at one moment (fattr3, RFC 1813 section 2.6).
 *
 * @param key what the file system calls it
 * @param mode permission bits, set-id and sticky bits; without the type
 * @param links names it has
 * @param uid owner, unsigned 32 bits
 * @param gid group, unsigned 32 bits
 * @param size bytes
 * @param device the device number of a device file, as Linux encodes it; else 0
 * @param accessed last access
 * @param modified last change of the content
 * @param changed last change of content or attributes
 */
public record FileAttributes(
        FileKey key,
        FileType type,
        int mode,
        long links,
        long uid,
        long gid,
        long size,
        long device,
        FileTime accessed,
        FileTime modified,
        FileTime changed) {

    private static final int BLOCK = 4096;

    /** Bytes that the content takes on disk: whole blocks, since Java does not tell how many there are. */
    public long used() {
        long blocks = size / BLOCK + (size % BLOCK == 0 ? 0 : 1);
        return blocks > Long.MAX_VALUE / BLOCK ? Long.MAX_VALUE : blocks * BLOCK;
    }

    /** The device's major number (glibc's gnu_dev_major). */
    public long deviceMajor() {
        return ((device >>> 8) & 0xfff) | ((device >>> 32) & 0xfffff000L);
    }

    /** The device's minor number (glibc's gnu_dev_minor). */
    public long deviceMinor() {
        return (device & 0xff) | ((device >>> 12) & 0xffffff00L);
    }

    public boolean isDirectory() {
        return type == FileType.DIRECTORY;
    }

    public boolean isRegular() {
        return type == FileType.REGULAR;
    }

    public boolean isSymbolicLink() {
        return type == FileType.SYMBOLIC_LINK;
    }
}
