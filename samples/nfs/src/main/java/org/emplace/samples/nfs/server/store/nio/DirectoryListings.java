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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.emplace.samples.nfs.server.store.CacheShares;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store.DirectoryEntry;
import org.emplace.samples.nfs.server.store.Store.EntryVisitor;
import org.emplace.samples.nfs.server.store.Store.ListingResult;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.Turns;
import org.emplace.samples.nfs.server.store.nio.NodeTree.Located;
import org.jspecify.annotations.Nullable;

/**
 * Lists directories. A cookie is a keyed hash of the name, and entries are listed in the order of their cookies. So a listing can continue from any
 * cookie with any {@link Snapshot} of the directory, whatever has changed. A snapshot is made when a listing begins, kept for its further pages, and
 * shared by all listings of the directory. Directories are read while clients may change names; the lock of the names is held only to open them, and
 * to look at a few entries at a time. Clients take turns in reading large directories, and each has a share of the snapshots. Safe for use by several
 * threads.
 */
final class DirectoryListings {
    private static final long SELF = 1;
    private static final long PARENT = 2;
    private static final long FIRST = 3;
    /** Directories with no more names are read at once, without a turn. */
    private static final int SMALL = 1000;

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);
    private static final int BATCH = 64;

    /** What a snapshot takes beside its names, in names. */
    private static final int OF_A_SNAPSHOT = 8;

    /** Longer than the resolution of directory times in any file system. */
    private static final long SETTLED_MILLIS = 2_500;

    private final NodeTree tree;
    private final PathNames names;
    private final int mostNames;
    private final SipHash hash;
    private final long verifier;

    /** Reading directories uses at most half of the processors, so that it does not delay other calls. */
    private final Turns readers = new Turns(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), LONGEST_WAIT);

    private final Map<Node, Snapshot> snapshots = new HashMap<>();

    /** An empty snapshot weighs something, too. */
    private final CacheShares<Node> shares = new CacheShares<>();

    /** @param mostNames the most names in all snapshots together */
    DirectoryListings(NodeTree tree, PathNames names, int mostNames) {
        this.tree = tree;
        this.names = names;
        this.mostNames = mostNames;
        SecureRandom random = new SecureRandom();
        this.hash = new SipHash(random.nextLong(), random.nextLong());
        this.verifier = random.nextLong();
    }

    ListingResult list(Object peer, FileId id, long cookie, long givenVerifier, boolean withFiles, EntryVisitor visitor)
            throws IOException {
        Located directory = tree.shared(() -> tree.resolve(peer, id).requireDirectory());
        if (cookie < 0 || (cookie != 0 && givenVerifier != verifier)) {
            throw new StoreException(Failure.BAD_COOKIE, "not a cookie of this store: " + cookie);
        }
        boolean end = dots(directory, cookie, withFiles, visitor)
                && named(directory, Math.max(cookie, PARENT), cookie <= PARENT, withFiles, visitor);
        return new ListingResult(tree.shared(() -> tree.again(directory)).attributes(), verifier, end);
    }

    private boolean dots(Located directory, long cookie, boolean withFiles, EntryVisitor visitor) throws IOException {
        return (cookie >= SELF || visitor.take(dot(directory, ".", SELF, withFiles)))
                && (cookie >= PARENT || visitor.take(dot(directory, "..", PARENT, withFiles)));
    }

    private DirectoryEntry dot(Located directory, String text, long cookie, boolean withFiles) throws IOException {
        FileName name = FileName.of(text);
        Located file = tree.shared(() -> tree.child(tree.again(directory), names.name(name)));
        return entry(name, cookie, file, withFiles);
    }

    private boolean named(Located directory, long start, boolean beginning, boolean withFiles, EntryVisitor visitor)
            throws IOException {
        long cookie = start;
        boolean begins = beginning;
        while (true) {
            Snapshot snapshot = snapshot(directory, cookie, begins);
            List<Snapshot.Entry> rest = snapshot.after(cookie);
            if (rest == null || rest.isEmpty()) {
                return true;
            }
            for (int from = 0; from < rest.size(); from += BATCH) {
                List<Snapshot.Entry> batch = rest.subList(from, Math.min(from + BATCH, rest.size()));
                for (DirectoryEntry entry : tree.shared(() -> entries(directory, batch, withFiles))) {
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

    private List<DirectoryEntry> entries(Located found, List<Snapshot.Entry> batch, boolean withFiles)
            throws IOException {
        Located directory = tree.again(found);
        List<DirectoryEntry> entries = new ArrayList<>(batch.size());
        for (Snapshot.Entry listed : batch) {
            try {
                entries.add(entry(directory, listed, withFiles));
            } catch (NoSuchFileException e) {
                // Removed meanwhile.
            } catch (AccessDeniedException | StoreException notToBeReached) {
                entries.add(new DirectoryEntry(listed.name(), listed.cookie(), listed.cookie(), Optional.empty()));
            }
        }
        return entries;
    }

    /** Remembers a file only if its id is wanted. */
    private DirectoryEntry entry(Located directory, Snapshot.Entry listed, boolean withFile) throws IOException {
        Path name = names.name(listed.name());
        return withFile
                ? entry(listed.name(), listed.cookie(), tree.child(directory, name), true)
                : new DirectoryEntry(
                        listed.name(), tree.childsNumber(directory, name), listed.cookie(), Optional.empty());
    }

    private static DirectoryEntry entry(FileName name, long cookie, Located file, boolean withFiles) {
        return new DirectoryEntry(
                name, file.attributes().number(), cookie, withFiles ? Optional.of(file.found()) : Optional.empty());
    }

    private Snapshot snapshot(Located directory, long cookie, boolean begins) throws IOException {
        Snapshot kept = usable(directory, cookie, begins);
        if (kept != null) {
            return kept;
        }
        long after = begins ? 0 : cookie;
        Snapshot small = read(directory, after, SMALL);
        if (small != null) {
            return keep(directory, small);
        }
        Turns.Turn turn = readers.take(directory.peer());
        try {
            // Another thread may have read it while this one waited.
            Snapshot read = usable(directory, cookie, begins);
            return read != null
                    ? read
                    : keep(directory, Objects.requireNonNull(read(directory, after, Integer.MAX_VALUE)));
        } finally {
            turn.close();
        }
    }

    private @Nullable Snapshot usable(Located directory, long cookie, boolean begins) throws IOException {
        Snapshot kept = kept(directory);
        boolean usable = kept != null
                && (begins
                        ? kept.isOf(tree.shared(() -> version(tree.again(directory))), SETTLED_MILLIS)
                        : kept.after(cookie) != null);
        return usable ? kept : null;
    }

    /** Reads a directory. It is opened while names cannot change; after that, the open directory stays the same. Returns null if it has more names. */
    @SuppressWarnings("StreamResourceLeak") // Opened in one statement, closed by the next.
    private @Nullable Snapshot read(Located found, long after, int mostRead) throws IOException {
        record Opened(Snapshot.Version version, DirectoryStream<Path> stream) {}
        FileTime now = FileTime.from(Instant.now());
        Opened opened = tree.shared(() -> {
            Located directory = tree.again(found);
            return new Opened(version(directory), Files.newDirectoryStream(directory.path()));
        });
        try (DirectoryStream<Path> stream = opened.stream()) {
            int most = Math.max(1, mostNames / 4);
            return Snapshot.of(stream, opened.version(), now, names, this::cookie, after, most, mostRead);
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

    private synchronized @Nullable Snapshot kept(Located directory) {
        Snapshot kept = snapshots.get(directory.node());
        if (kept != null) {
            shares.use(directory.peer(), directory.node(), weight(kept));
        }
        return kept;
    }

    private synchronized Snapshot keep(Located directory, Snapshot snapshot) {
        snapshots.put(directory.node(), snapshot);
        shares.use(directory.peer(), directory.node(), weight(snapshot));
        while (shares.weight() > mostNames) {
            Optional<Node> next = shares.next(node -> node != directory.node());
            if (next.isEmpty()) {
                break;
            }
            shares.remove(next.get());
            snapshots.remove(next.get());
        }
        return snapshot;
    }

    private static long weight(Snapshot snapshot) {
        return (long) OF_A_SNAPSHOT + snapshot.size();
    }
}
