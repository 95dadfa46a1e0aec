// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.xdr.XdrString;

/** Finds files by their path in an export, as a kernel does: link after link, never out of the export. */
final class PathWalk {
    private static final int MOST_LINKS = 40;
    private static final XdrString DOT = XdrString.of(".");
    private static final XdrString DOT_DOT = XdrString.of("..");

    private final RemoteFiles files;
    private final List<XdrString> export;
    private final Deque<RemoteNode> trail = new ArrayDeque<>();
    private final Deque<XdrString> ahead = new ArrayDeque<>();
    private int linksFollowed;

    /**
     * @param export the export's own path on the server, to recognise absolute links that stay in it
     * @param root the export's root directory
     */
    PathWalk(RemoteFiles files, List<XdrString> export, RemoteNode root) {
        this.files = files;
        this.export = export;
        trail.push(root);
    }

    /**
     * Walks from the root.
     *
     * @param followLast whether a symbolic link at the end is followed too
     */
    RemoteNode find(List<XdrString> path, boolean followLast) throws IOException, InterruptedException {
        ahead.addAll(path);
        while (!ahead.isEmpty()) {
            step(ahead.pop(), followLast);
        }
        return trail.element();
    }

    private void step(XdrString name, boolean followLast) throws IOException, InterruptedException {
        if (name.equals(DOT)) {
            return;
        }
        if (name.equals(DOT_DOT)) {
            if (trail.size() == 1) {
                throw new IOException("A symbolic link leads out of the export");
            }
            trail.pop();
            return;
        }
        RemoteNode here = trail.element();
        if (!here.isDirectory()) {
            throw new NfsException(Nfsstat3.NFS3ERR_NOTDIR);
        }
        RemoteNode next = files.lookup(here.handle(), name);
        if (next.isSymbolicLink() && (followLast || !ahead.isEmpty())) {
            follow(files.readLink(next.handle()));
        } else {
            trail.push(next);
        }
    }

    private void follow(XdrString target) throws IOException {
        if (++linksFollowed > MOST_LINKS) {
            throw new IOException("Too many levels of symbolic links");
        }
        List<XdrString> names = RemotePath.split(target);
        if (target.length() > 0 && target.bytes()[0] == '/') {
            names = withoutPrefix(export, names)
                    .orElseThrow(() -> new IOException("A symbolic link leads out of the export"));
            while (trail.size() > 1) {
                trail.pop();
            }
        }
        for (int i = names.size() - 1; i >= 0; i--) {
            ahead.push(names.get(i));
        }
    }

    /** What remains of a path behind a prefix of whole names; empty if the path does not begin with it. */
    static Optional<List<XdrString>> withoutPrefix(List<XdrString> prefix, List<XdrString> path) {
        boolean begins =
                path.size() >= prefix.size() && path.subList(0, prefix.size()).equals(prefix);
        return begins ? Optional.of(path.subList(prefix.size(), path.size())) : Optional.empty();
    }
}
