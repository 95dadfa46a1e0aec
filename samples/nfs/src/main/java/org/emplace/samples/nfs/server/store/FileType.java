// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/** What a file is (ftype3, RFC 1813 section 2.5). */
public enum FileType {
    REGULAR(1),
    DIRECTORY(2),
    BLOCK_DEVICE(3),
    CHARACTER_DEVICE(4),
    SYMBOLIC_LINK(5),
    SOCKET(6),
    FIFO(7);

    private static final int FORMAT = 0170000;

    private final int number;

    FileType(int number) {
        this.number = number;
    }

    /** Its number in ftype3. */
    public int number() {
        return number;
    }

    /** The type in a POSIX mode. */
    public static FileType ofMode(int mode) {
        return switch (mode & FORMAT) {
            case 0040000 -> DIRECTORY;
            case 0060000 -> BLOCK_DEVICE;
            case 0020000 -> CHARACTER_DEVICE;
            case 0120000 -> SYMBOLIC_LINK;
            case 0140000 -> SOCKET;
            case 0010000 -> FIFO;
            default -> REGULAR;
        };
    }
}
