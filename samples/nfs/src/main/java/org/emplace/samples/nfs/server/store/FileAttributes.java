// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.nio.file.attribute.FileTime;
import org.emplace.samples.nfs.server.store.StoreException.Failure;

/**
 * The attributes of a file at one moment (fattr3, RFC 1813 section 2.6).
 *
 * @param number the file's number in its store (fileid)
 * @param mode permission bits, set-id and sticky bits; without the type
 * @param links the number of its names
 * @param uid owner, unsigned 32 bits
 * @param gid group, unsigned 32 bits
 * @param size bytes
 * @param used bytes that it takes on disk
 * @param device the device number of a device file, as Linux encodes it; else 0
 * @param accessed last access
 * @param modified last change of the content
 * @param changed last change of content or attributes
 */
public record FileAttributes(
        long number,
        FileType type,
        int mode,
        long links,
        long uid,
        long gid,
        long size,
        long used,
        long device,
        FileTime accessed,
        FileTime modified,
        FileTime changed) {

    /** The device's major number (glibc's gnu_dev_major). */
    public long deviceMajor() {
        return ((device >>> 8) & 0xfff) | ((device >>> 32) & 0xfffff000L);
    }

    /** The device's minor number (glibc's gnu_dev_minor). */
    public long deviceMinor() {
        return (device & 0xff) | ((device >>> 12) & 0xffffff00L);
    }

    /** The attributes after the contents have changed to this many bytes at this time. */
    public FileAttributes withContents(long bytes, FileTime when) {
        return new FileAttributes(number, type, mode, links, uid, gid, bytes, bytes, device, accessed, when, when);
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

    /**
     * Checks that this is a directory.
     *
     * @param file to be named in the message
     * @throws StoreException of NOTDIR if it is not
     */
    public void requireDirectory(Object file) throws StoreException {
        if (!isDirectory()) {
            throw new StoreException(Failure.NOTDIR, "not a directory: " + file);
        }
    }

    /**
     * Checks that this is a regular file, as READ and WRITE require (RFC 1813).
     *
     * @param file to be named in the message
     * @throws StoreException of ISDIR for a directory, of INVAL for anything else
     */
    public void requireRegular(Object file) throws StoreException {
        if (!isRegular()) {
            throw new StoreException(isDirectory() ? Failure.ISDIR : Failure.INVAL, "not a regular file: " + file);
        }
    }
}
