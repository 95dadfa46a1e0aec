// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/** The type of a file (ftype3, RFC 1813 section 2.5). */
public enum FileType {
    REGULAR(1, 0100000),
    DIRECTORY(2, 0040000),
    BLOCK_DEVICE(3, 0060000),
    CHARACTER_DEVICE(4, 0020000),
    SYMBOLIC_LINK(5, 0120000),
    SOCKET(6, 0140000),
    FIFO(7, 0010000);

    private static final int FORMAT = 0170000;

    private final int number;
    private final int modeBits;

    FileType(int number, int modeBits) {
        this.number = number;
        this.modeBits = modeBits;
    }

    /** Its number in ftype3. */
    public int number() {
        return number;
    }

    /** The type as a part of a POSIX mode. */
    public int modeBits() {
        return modeBits;
    }

    /** The mode of a new file of this type if its creator gives none. */
    public int defaultMode() {
        return this == DIRECTORY ? 0755 : 0644;
    }

    public boolean isDevice() {
        return this == BLOCK_DEVICE || this == CHARACTER_DEVICE;
    }

    /** The type in a POSIX mode. Unknown types count as regular files. */
    public static FileType ofMode(int mode) {
        for (FileType type : values()) {
            if (type.modeBits == (mode & FORMAT)) {
                return type;
            }
        }
        return REGULAR;
    }
}
