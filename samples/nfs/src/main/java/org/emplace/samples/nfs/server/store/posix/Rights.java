// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import org.emplace.samples.nfs.server.store.AccessRights;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.FileAttributes;

/**
 * Asks the kernel what a caller may do to a file, before the server's user does it. Where callers do not act, the kernel has its say when the server's user does it.
 */
final class Rights {
    private final Credentials credentials;

    Rights(Credentials credentials) {
        this.credentials = credentials;
    }

    private long ask(Caller caller, FileNode file, int rights) {
        return credentials.call(caller, () -> SystemCalls.access(file.number(), rights));
    }

    /** Refuses a caller who may not list a directory. */
    void requireList(Caller caller, FileNode directory) throws IOException {
        if (credentials.act()) {
            Errno.check(ask(caller, directory, SystemCalls.MAY_READ), "asking for the right to list");
        }
    }

    /** Whether a caller may look at what is in a directory. */
    boolean maySearch(Caller caller, FileNode directory) {
        return ask(caller, directory, SystemCalls.MAY_EXECUTE) == 0;
    }

    /** Refuses a caller who may not read a file. A client that only may execute a file has to read it for that. */
    void requireRead(Caller caller, FileNode file) throws IOException {
        if (actsOnOthers(caller, file)) {
            long answer = ask(caller, file, SystemCalls.MAY_READ);
            if (Errno.EACCES.is(answer)) {
                answer = ask(caller, file, SystemCalls.MAY_EXECUTE);
            }
            Errno.check(answer, "asking for the right to read");
        }
    }

    /** Refuses a caller who may not write to a file. */
    void requireWrite(Caller caller, FileNode file) throws IOException {
        if (actsOnOthers(caller, file)) {
            Errno.check(ask(caller, file, SystemCalls.MAY_WRITE), "asking for the right to write");
        }
    }

    /** A file's owner may have opened it before it took its own right away, and NFS has no open that the server would know of. */
    private boolean actsOnOthers(Caller caller, FileNode file) {
        return credentials.act() && !caller.owns(file.attributes());
    }

    /** Which of the asked rights, a sum of the bits of {@link AccessRights}, a caller has. */
    int granted(Caller caller, FileNode file, int asked) {
        FileAttributes attributes = file.attributes();
        int read = AccessRights.READ;
        int write = AccessRights.MODIFY | AccessRights.EXTEND | (attributes.isDirectory() ? AccessRights.DELETE : 0);
        int execute = attributes.isDirectory() ? AccessRights.LOOKUP : AccessRights.EXECUTE;
        return granted(caller, file, SystemCalls.MAY_READ, asked & read)
                | granted(caller, file, SystemCalls.MAY_WRITE, asked & write)
                | granted(caller, file, SystemCalls.MAY_EXECUTE, asked & execute);
    }

    private int granted(Caller caller, FileNode file, int right, int bits) {
        return bits != 0 && ask(caller, file, right) == 0 ? bits : 0;
    }
}
