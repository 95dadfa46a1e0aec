// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.calls;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.RemoteName;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.client.calls.RemoteFiles.RemoteNode;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.xdr.XdrString;
import org.jspecify.annotations.Nullable;

/** Resolves paths in an export as a kernel does, following symbolic links, but never out of the export. */
public final class PathWalk {
    private static final int MOST_LINKS = 40;

    private final RemoteFiles files;
    private final DirectoryCache cache;
    private final List<XdrString> export;
    private final Deque<RemoteNode> trail = new ArrayDeque<>();
    private final Deque<XdrString> names = new ArrayDeque<>();
    private final Deque<XdrString> ahead = new ArrayDeque<>();
    private int linksFollowed;

    /**
     * @param cache has directories that were looked up before
     * @param export the export's own path on the server, to recognize absolute links that stay in it
     * @param root the export's root directory
     */
    public PathWalk(RemoteFiles files, DirectoryCache cache, List<XdrString> export, RemoteNode root) {
        this.files = files;
        this.cache = cache;
        this.export = export;
        trail.push(root);
    }

    /**
     * The result of resolving a path.
     *
     * @param directory holds the entry; for the export's root, the root itself
     * @param name of the entry; empty if the path ends in the root, or in dots
     * @param node the file; empty if it does not exist
     * @param path the names from the root to the file, without links and dots
     */
    public record Place(
            RemoteNode directory, Optional<XdrString> name, Optional<RemoteNode> node, List<XdrString> path) {
        /** The file, which must exist. */
        public RemoteNode existing() throws NfsException {
            return node.orElseThrow(() -> new NfsException(Nfsstat3.NFS3ERR_NOENT));
        }
    }

    /**
     * Walks from the root to a file, which need not exist if all directories on the way do.
     *
     * @param followLast whether a symbolic link at the end is followed too
     */
    public Place locate(List<XdrString> path, boolean followLast) throws IOException, InterruptedException {
        long generation = cache.generation();
        ahead.addAll(path.subList(skipKnown(path), path.size()));
        Optional<XdrString> last = Optional.empty();
        while (!ahead.isEmpty()) {
            XdrString name = ahead.pop();
            last = RemoteName.isDots(name) ? Optional.empty() : Optional.of(name);
            if (!step(name, followLast)) {
                names.addLast(name);
                return new Place(trail.element(), last, Optional.empty(), List.copyOf(names));
            }
            remember(path, generation);
        }
        RemoteNode node = trail.pop();
        if (last.isEmpty()) {
            node = new RemoteNode(node.handle(), files.attributes(node.handle())); // its cached attributes may be old
        }
        return new Place(trail.isEmpty() ? node : trail.element(), last, Optional.of(node), List.copyOf(names));
    }

    /** Walks to a directory; may use the cache for all of the path. */
    public RemoteNode directory(List<XdrString> path) throws IOException, InterruptedException {
        if (path.isEmpty()) {
            return trail.element();
        }
        @Nullable List<RemoteNode> known = cache.find(path);
        return known == null ? locate(path, true).existing() : known.get(known.size() - 1);
    }

    /** Follows cached directories, but never to the last name, which is always looked up. Returns the number of names followed. */
    private int skipKnown(List<XdrString> path) {
        for (int known = path.size() - 1; known > 0; known--) {
            List<XdrString> prefix = path.subList(0, known);
            @Nullable List<RemoteNode> directories = cache.find(prefix);
            if (directories != null) {
                directories.forEach(trail::push);
                names.addAll(prefix);
                return known;
            }
        }
        return 0;
    }

    /** Adds the current directory to the cache, unless the walk went through links or dots. */
    private void remember(List<XdrString> path, long generation) {
        List<XdrString> here = List.copyOf(names);
        if (trail.element().isDirectory()
                && here.size() == path.size() - ahead.size()
                && here.equals(path.subList(0, here.size()))) {
            List<RemoteNode> directories = new ArrayList<>(trail);
            directories.remove(directories.size() - 1);
            Collections.reverse(directories);
            cache.add(here, List.copyOf(directories), generation);
        }
    }

    /** Looks up one name. Returns whether it exists; only the last name may be missing. */
    private boolean step(XdrString name, boolean followLast) throws IOException, InterruptedException {
        RemoteNode here = trail.element();
        if (!here.isDirectory()) {
            throw new NfsException(Nfsstat3.NFS3ERR_NOTDIR);
        }
        if (name.equals(RemoteName.DOT)) {
            return true;
        }
        if (name.equals(RemoteName.DOT_DOT)) {
            if (trail.size() == 1) {
                throw new IOException("The path leads out of the export");
            }
            trail.pop();
            names.removeLast();
            return true;
        }
        Optional<RemoteNode> found = files.find(here.handle(), name);
        if (found.isEmpty()) {
            if (!ahead.isEmpty()) {
                throw new NfsException(Nfsstat3.NFS3ERR_NOENT);
            }
            return false;
        }
        RemoteNode next = found.get();
        if (next.isSymbolicLink() && (followLast || !ahead.isEmpty())) {
            follow(files.readLink(next.handle()));
        } else {
            trail.push(next);
            names.addLast(name);
        }
        return true;
    }

    private void follow(XdrString target) throws IOException {
        if (++linksFollowed > MOST_LINKS) {
            throw new IOException("Too many levels of symbolic links");
        }
        List<XdrString> further = RemotePath.split(target);
        if (target.length() > 0 && target.bytes()[0] == '/') {
            further = RemotePath.withoutPrefix(export, further)
                    .orElseThrow(() -> new IOException("A symbolic link leads out of the export"));
            while (trail.size() > 1) {
                trail.pop();
            }
            names.clear();
            if (further.isEmpty()) {
                ahead.push(RemoteName.DOT); // the root's cached attributes may be old
            }
        }
        for (int i = further.size() - 1; i >= 0; i--) {
            ahead.push(further.get(i));
        }
    }
}
