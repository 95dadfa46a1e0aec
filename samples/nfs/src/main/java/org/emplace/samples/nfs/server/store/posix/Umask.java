// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.emplace.samples.nfs.server.store.posix.SystemCalls.SystemCall;

/**
 * The process's umask. It must not apply to files that clients create, because clients have applied their own. Changing the mode afterward
 * is no solution: it would undo a directory's default ACL.
 */
record Umask(boolean zero) {
    private static final String FIELD = "Umask:";

    static Umask ofProcess() throws IOException {
        List<String> status = Files.readAllLines(Path.of("/proc/thread-self/status"));
        boolean zero = status.stream()
                .filter(line -> line.startsWith(FIELD))
                .allMatch(
                        line -> Integer.parseInt(line.substring(FIELD.length()).strip(), 8) == 0);
        if (!zero && SystemCalls.separateUmask() < 0) {
            throw new IOException("cannot set the umask of single threads, because unshare is forbidden here;"
                    + " start the server with umask 0");
        }
        return new Umask(zero);
    }

    /** Makes a call without a umask. Changes the umask of this thread only. */
    long without(SystemCall call) {
        if (zero) {
            return call.make();
        }
        long failed = SystemCalls.separateUmask();
        if (failed < 0) {
            return failed;
        }
        int former = SystemCalls.setUmask(0);
        try {
            return call.make();
        } finally {
            SystemCalls.setUmask(former);
        }
    }
}
