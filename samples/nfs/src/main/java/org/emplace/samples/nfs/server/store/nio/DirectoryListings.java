// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.emplace.samples.nfs.server.store.Failure;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store.DirectoryEntry;
import org.emplace.samples.nfs.server.store.Store.EntryVisitor;
import org.emplace.samples.nfs.server.store.Store.ListingResult;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.nio.NodeTree.Located;
import org.jspecify.annotations.Nullable;

/**
 * Lists directories. A cookie is a keyed hash of the name, and entries are listed in the order of their cookies. So a listing can continue from any
 * cookie with any {@link Snapshot} of the directory, whatever has changed. A snapshot is made when a listing begins, kept for its further pages, and
 * shared by all listings of the directory. Directories are read while clients may change names; the lock of the names is held only to open them, and
 * to look at a few entries at a time. Safe for use by several threads.
 */
final class DirectoryListings {
    private static final long SELF = 1;
    private static final long PARENT = 2;
    private static final long FIRST = 3;
    private static final int SNAPSHOTS = 64;
    private static final int BATCH = 64;

    /** Longer than the resolution of directory times in any file system. */
    private static final long SETTLED_MILLIS = 2_500;

    private final NodeTree tree;
    private final PathNames names;
    private final int mostNames;
    private final SipHash hash;
    private final long verifier;

    /** Reading directories uses at most half of the processors, so that it does not delay other calls. */
    private final Semaphore readers =
            new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), true);

    private final Map<Node, Snapshot> snapshots = new LinkedHashMap<>(16, 0.75f, true);
    private int keptNames;

    /** @param mostNames the most names in all snapshots together */
    DirectoryListings(NodeTree tree, PathNames names, int mostNames) {
        this.tree = tree;
        this.names = names;
        this.mostNames = mostNames;
        SecureRandom random = new SecureRandom();
        this.hash = new SipHash(random.nextLong(), random.nextLong());
        this.verifier = random.nextLong();
    }

    ListingResult list(FileId id, long cookie, long givenVerifier, boolean withFiles, EntryVisitor visitor)
            throws IOException {
        Located directory = tree.shared(() -> tree.resolve(id).requireDirectory());
        if (cookie < 0 || (cookie != 0 && givenVerifier != verifier)) {
            throw new StoreException(Failure.BAD_COOKIE, "not a cookie of this store: " + cookie);
        }
        boolean end = dots(directory.node(), cookie, withFiles, visitor)
                && named(directory.node(), Math.max(cookie, PARENT), cookie <= PARENT, withFiles, visitor);
        return new ListingResult(tree.shared(() -> tree.again(directory)).attributes(), verifier, end);
    }

    private boolean dots(Node node, long cookie, boolean withFiles, EntryVisitor visitor) throws IOException {
        return (cookie >= SELF || visitor.take(dot(node, ".", SELF, withFiles)))
                && (cookie >= PARENT || visitor.take(dot(node, "..", PARENT, withFiles)));
    }

    private DirectoryEntry dot(Node node, String text, long cookie, boolean withFiles) throws IOException {
        FileName name = FileName.of(text);
        Located file = tree.shared(() -> tree.child(tree.locate(node), names.name(name)));
        return entry(name, cookie, file, withFiles);
    }

    private boolean named(Node node, long start, boolean beginning, boolean withFiles, EntryVisitor visitor)
            throws IOException {
        long cookie = start;
        boolean begins = beginning;
        while (true) {
            Snapshot snapshot = snapshot(node, cookie, begins);
            List<Snapshot.Entry> rest = snapshot.after(cookie);
            if (rest == null || rest.isEmpty()) {
                return true;
            }
            for (int from = 0; from < rest.size(); from += BATCH) {
                List<Snapshot.Entry> batch = rest.subList(from, Math.min(from + BATCH, rest.size()));
                for (DirectoryEntry entry : tree.shared(() -> entries(node, batch, withFiles))) {
                    if (!visitor.take(entry)) {
                        return false;
                    }
                }
            }
            if (snapshot.complete()) {
                return true;
            }
            cookie = rest.get(rest.size() - 1).cookie();
            begins = false;
        }
    }

    private List<DirectoryEntry> entries(Node node, List<Snapshot.Entry> batch, boolean withFiles) throws IOException {
        Located directory = tree.locate(node);
        List<DirectoryEntry> entries = new ArrayList<>(batch.size());
        for (Snapshot.Entry listed : batch) {
            try {
                Located file = tree.child(directory, names.name(listed.name()));
                entries.add(entry(listed.name(), listed.cookie(), file, withFiles));
            } catch (NoSuchFileException e) {
                // Removed meanwhile.
            } catch (AccessDeniedException | StoreException notToBeReached) {
                entries.add(new DirectoryEntry(listed.name(), listed.cookie(), listed.cookie(), Optional.empty()));
            }
        }
        return entries;
    }

    private static DirectoryEntry entry(FileName name, long cookie, Located file, boolean withFiles) {
        return new DirectoryEntry(
                name, file.attributes().number(), cookie, withFiles ? Optional.of(file.found()) : Optional.empty());
    }

    private Snapshot snapshot(Node node, long cookie, boolean begins) throws IOException {
        Snapshot kept = usable(node, cookie, begins);
        if (kept != null) {
            return kept;
        }
        readers.acquireUninterruptibly();
        try {
            // Another thread may have read it while this one waited.
            Snapshot read = usable(node, cookie, begins);
            return read != null ? read : keep(node, read(node, begins ? 0 : cookie));
        } finally {
            readers.release();
        }
    }

    private @Nullable Snapshot usable(Node node, long cookie, boolean begins) throws IOException {
        Snapshot kept = kept(node);
        boolean usable = kept != null
                && (begins
                        ? kept.isOf(tree.shared(() -> version(tree.locate(node))), SETTLED_MILLIS)
                        : kept.after(cookie) != null);
        return usable ? kept : null;
    }

    /** Reads a directory. It is opened while names cannot change; after that, the open directory stays the same. */
    @SuppressWarnings("StreamResourceLeak") // Opened in one statement, closed by the next.
    private Snapshot read(Node node, long after) throws IOException {
        record Opened(Snapshot.Version version, DirectoryStream<Path> stream) {}
        FileTime now = FileTime.from(Instant.now());
        Opened opened = tree.shared(() -> {
            Located directory = tree.locate(node);
            return new Opened(version(directory), Files.newDirectoryStream(directory.path()));
        });
        try (DirectoryStream<Path> stream = opened.stream()) {
            return Snapshot.of(stream, opened.version(), now, names, this::cookie, after, Math.max(1, mostNames / 4));
        }
    }

    private static Snapshot.Version version(Located directory) {
        FileAttributes attributes = directory.attributes();
        return new Snapshot.Version(directory.node().changes, attributes.modified(), attributes.changed());
    }

    /** The cookie of a name. It is positive, because clients return it as a file offset. */
    private long cookie(FileName name) {
        return Math.max(hash.hash(name.bytes()) >>> 1, FIRST);
    }

    private synchronized @Nullable Snapshot kept(Node directory) {
        return snapshots.get(directory);
    }

    private synchronized Snapshot keep(Node directory, Snapshot snapshot) {
        Snapshot former = snapshots.put(directory, snapshot);
        keptNames += snapshot.size() - (former == null ? 0 : former.size());
        Iterator<Snapshot> eldest = snapshots.values().iterator();
        while (snapshots.size() > SNAPSHOTS || (keptNames > mostNames && snapshots.size() > 1)) {
            keptNames -= eldest.next().size();
            eldest.remove();
        }
        return snapshot;
    }
}
