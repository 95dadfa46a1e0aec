// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.emplace.samples.nfs.client.RemoteName;
import org.emplace.xdr.XdrString;

/** Tells whether standard output and standard error are terminals, and prints names. */
public final class Output {
    private static final boolean TERMINAL = isTerminal(1);

    private Output() {}

    /** Whether standard output is a terminal. */
    static boolean isTerminal() {
        return TERMINAL;
    }

    /** Whether standard error is a terminal. */
    public static boolean errorsGoToTerminal() {
        return isTerminal(2);
    }

    private static boolean isTerminal(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd", Integer.toString(descriptor)))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException e) {
            return false; // closed, or a system without /proc
        }
    }

    /** Prints the bytes of a name; on a terminal, without control characters. */
    static void print(XdrString name) {
        if (isTerminal()) {
            System.out.print(RemoteName.printable(name));
        } else {
            byte[] bytes = name.bytes();
            System.out.write(bytes, 0, bytes.length);
        }
    }
}
