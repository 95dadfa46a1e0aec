// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

/** A file's type and permissions as {@code ls -l} writes them. */
final class ModeText {
    private ModeText() {}

    /** The ten characters for a mode that has the bits of the type. */
    static String of(int mode) {
        StringBuilder text = new StringBuilder().append(letter(mode));
        for (int shift = 6; shift >= 0; shift -= 3) {
            text.append((mode >> shift & 4) != 0 ? 'r' : '-').append((mode >> shift & 2) != 0 ? 'w' : '-');
            text.append(execute(mode, shift));
        }
        return text.toString();
    }

    /** The set-user-ID, set-group-ID and sticky bits are shown in place of the three execute permissions. */
    private static char execute(int mode, int shift) {
        boolean execute = (mode >> shift & 1) != 0;
        boolean special = (mode & (01000 << (shift / 3))) != 0;
        if (!special) {
            return execute ? 'x' : '-';
        }
        char letter = shift == 0 ? 't' : 's';
        return execute ? letter : Character.toUpperCase(letter);
    }

    private static char letter(int mode) {
        return switch (mode & 0170000) {
            case 0040000 -> 'd';
            case 0060000 -> 'b';
            case 0020000 -> 'c';
            case 0120000 -> 'l';
            case 0140000 -> 's';
            case 0010000 -> 'p';
            default -> '-';
        };
    }

    /** The type in words. */
    static String type(int mode) {
        return switch (letter(mode)) {
            case 'd' -> "directory";
            case 'b' -> "block device";
            case 'c' -> "character device";
            case 'l' -> "symbolic link";
            case 's' -> "socket";
            case 'p' -> "named pipe";
            default -> "regular file";
        };
    }
}
