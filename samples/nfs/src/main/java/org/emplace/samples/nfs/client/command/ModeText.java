// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Ftype3;

/** A file's type and permissions as {@code ls -l} writes them. */
final class ModeText {
    private ModeText() {}

    /** Ten characters. */
    static String of(Fattr3 attributes) {
        StringBuilder text = new StringBuilder().append(letter(attributes.type()));
        long mode = attributes.mode();
        for (int shift = 6; shift >= 0; shift -= 3) {
            text.append((mode >> shift & 4) != 0 ? 'r' : '-').append((mode >> shift & 2) != 0 ? 'w' : '-');
            text.append(execute(mode, shift));
        }
        return text.toString();
    }

    /** The set-user, set-group and sticky bits stand in the places of the three execute permissions. */
    private static char execute(long mode, int shift) {
        boolean execute = (mode >> shift & 1) != 0;
        boolean special = (mode & (01000L << (shift / 3))) != 0;
        if (!special) {
            return execute ? 'x' : '-';
        }
        char letter = shift == 0 ? 't' : 's';
        return execute ? letter : Character.toUpperCase(letter);
    }

    private static char letter(Ftype3 type) {
        return switch (type) {
            case NF3REG -> '-';
            case NF3DIR -> 'd';
            case NF3BLK -> 'b';
            case NF3CHR -> 'c';
            case NF3LNK -> 'l';
            case NF3SOCK -> 's';
            case NF3FIFO -> 'p';
        };
    }
}
