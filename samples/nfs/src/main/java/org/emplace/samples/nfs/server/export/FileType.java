// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

/** What a file is (ftype3, RFC 1813 section 2.5), in the protocol's order. */
public enum FileType {
    REGULAR,
    DIRECTORY,
    BLOCK_DEVICE,
    CHARACTER_DEVICE,
    SYMBOLIC_LINK,
    SOCKET,
    FIFO;

    private static final int FORMAT = 0170000;

    /** The type in a POSIX mode. */
    static FileType ofMode(int mode) {
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
