// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.util.Arrays;
import java.util.HexFormat;
import org.emplace.samples.nfs.server.store.Store.Limits;

/**
 * A store's identifier of a file. It stays the same as long as the file exists, through renames and, if {@link Limits#lasting},
 * restarts, and never identifies another file. At most {@link #LONGEST} bytes, so that it fits into a file handle of NFS version 3 together
 * with the export and an authentication code.
 */
public final class FileId implements Comparable<FileId> {
    /** The most bytes of an id. */
    public static final int LONGEST = 46;

    private final byte[] bytes;

    /** Copies the bytes. */
    public FileId(byte[] bytes) {
        if (bytes.length > LONGEST) {
            throw new IllegalArgumentException("a file id has at most " + LONGEST + " bytes, not " + bytes.length);
        }
        this.bytes = bytes.clone();
    }

    /** A copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FileId id && Arrays.equals(bytes, id.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public int compareTo(FileId other) {
        return Arrays.compare(bytes, other.bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
