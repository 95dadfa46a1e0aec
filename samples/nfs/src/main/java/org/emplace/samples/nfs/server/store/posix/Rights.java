// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.Store.AccessRights;

/**
 * Asks the kernel for a caller's rights before the server's user acts for the caller. If callers do not act as themselves, the kernel
 * checks the server's user in the operation itself.
 */
record Rights(Credentials credentials) {
    private long ask(Caller caller, FileNode file, int rights) {
        return credentials.call(caller, () -> SystemCalls.access(file.number(), rights));
    }

    /** Throws if the caller may not list a directory. */
    void requireList(Caller caller, FileNode directory) throws IOException {
        if (credentials.act()) {
            Errno.check(ask(caller, directory, SystemCalls.MAY_READ), "asking for the right to list");
        }
    }

    /** Whether a caller may search a directory. */
    boolean maySearch(Caller caller, FileNode directory) {
        return ask(caller, directory, SystemCalls.MAY_EXECUTE) == 0;
    }

    /** Throws if the caller may neither read nor execute a file: a client has to read a file to execute it. */
    void requireRead(Caller caller, FileNode file) throws IOException {
        if (actsOnOthers(caller, file)) {
            long answer = ask(caller, file, SystemCalls.MAY_READ);
            if (Errno.EACCES.is(answer)) {
                answer = ask(caller, file, SystemCalls.MAY_EXECUTE);
            }
            Errno.check(answer, "asking for the right to read");
        }
    }

    /** Throws if the caller may not write to a file. */
    void requireWrite(Caller caller, FileNode file) throws IOException {
        if (actsOnOthers(caller, file)) {
            Errno.check(ask(caller, file, SystemCalls.MAY_WRITE), "asking for the right to write");
        }
    }

    /**
     * Whether the caller acts as itself on a file of another user. An owner is not checked: it may have opened the file before it removed its own
     * rights, which the server cannot know, because NFS version 3 has no open.
     */
    private boolean actsOnOthers(Caller caller, FileNode file) {
        return credentials.act() && !caller.owns(file.attributes());
    }

    /** The requested rights that a caller has, as a sum of the bits of {@link AccessRights}. */
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
