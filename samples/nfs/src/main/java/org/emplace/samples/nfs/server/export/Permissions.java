// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.nio.file.Files;

/** Who may do what. Where everybody acts as the server's user, the operating system decides and nothing is refused here. */
final class Permissions {
    static final int READ = 4;
    static final int WRITE = 2;
    static final int SEARCH = 1;

    private static final int STICKY = 01000;

    private final Identity identity;

    Permissions(Identity identity) {
        this.identity = identity;
    }

    boolean callersCount() {
        return identity == Identity.CALLER;
    }

    /** Refuses a caller without these rights, a sum of {@link #READ}, {@link #WRITE}, {@link #SEARCH}. */
    void require(Caller caller, Node node, int rights) throws ExportException {
        if (callersCount() && (rights & ~of(caller, node.attributes())) != 0) {
            throw new ExportException(
                    Failure.ACCES, "user " + caller.uid() + " has not the rights " + rights + " on " + node.path());
        }
    }

    /** Like {@link #require}, but the owner may always: it may have opened the file before it took its own right away. */
    void requireForContent(Caller caller, Node node, int rights) throws ExportException {
        if (!caller.owns(node.attributes())) {
            require(caller, node, rights);
        }
    }

    void requireOwner(Caller caller, Node node) throws ExportException {
        if (callersCount() && !caller.isSuperuser() && !caller.owns(node.attributes())) {
            throw new ExportException(Failure.PERM, "user " + caller.uid() + " does not own " + node.path());
        }
    }

    /** Refuses a caller who may not take this file's name away from the directory. */
    void requireRemoval(Caller caller, Node directory, Node file) throws ExportException {
        require(caller, directory, WRITE | SEARCH);
        boolean sticky = (directory.attributes().mode() & STICKY) != 0;
        if (sticky && !caller.owns(directory.attributes())) {
            requireOwner(caller, file);
        }
    }

    /** Refuses a change of owner or group that is not the caller's to make. */
    void requireOwnerChange(Caller caller, Node node, long uid, long gid) throws ExportException {
        FileAttributes now = node.attributes();
        boolean sameOwner = uid < 0 || uid == now.uid();
        boolean ownGroup = gid < 0 || gid == now.gid() || caller.isIn(gid);
        if (callersCount() && !caller.isSuperuser() && !(caller.owns(now) && sameOwner && ownGroup)) {
            throw new ExportException(Failure.PERM, "user " + caller.uid() + " may not give " + node.path() + " away");
        }
    }

    /** The rights that the caller has: a sum of {@link #READ}, {@link #WRITE}, {@link #SEARCH}. */
    int granted(Caller caller, Node node) {
        if (node.attributes().isSymbolicLink()) {
            return READ | WRITE | SEARCH;
        }
        return callersCount() ? of(caller, node.attributes()) : ofServer(node);
    }

    private static int ofServer(Node node) {
        return (Files.isReadable(node.path()) ? READ : 0)
                | (Files.isWritable(node.path()) ? WRITE : 0)
                | (Files.isExecutable(node.path()) ? SEARCH : 0);
    }

    private static int of(Caller caller, FileAttributes file) {
        if (caller.isSuperuser()) {
            boolean executable = file.isDirectory() || (file.mode() & 0111) != 0;
            return READ | WRITE | (executable ? SEARCH : 0);
        }
        int shift = caller.owns(file) ? 6 : caller.isIn(file.gid()) ? 3 : 0;
        return (file.mode() >> shift) & 7;
    }
}
