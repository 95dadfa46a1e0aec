// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.store.TestedStore.assertFailure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.emplace.samples.nfs.server.store.AttributeChange;
import org.emplace.samples.nfs.server.store.Creation;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store.DirectoryEntry;
import org.emplace.samples.nfs.server.store.Store.Durability;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.TestedStore;
import org.emplace.samples.nfs.server.store.nio.NioStore.Abilities;
import org.emplace.samples.nfs.server.store.nio.NioStore.NamesLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients choose how deep directories are. That is bounded, and no client waits for the way to another's deep directory. */
class DeepDirectoriesTest {
    private static final NioOptions OPTIONS = NioOptions.DEFAULT.withDurability(Durability.DEFERRED);
    private static final FileName NAME = FileName.of("d");
    private static final Object PEER = "a client";

    @TempDir
    Path temporary;

    private final NamesLock lock = new NamesLock();
    private NodeTree tree;
    private Changes changes;

    @AutoClose
    private FileContents contents;

    /** How often files have been looked at, and how often of these while all other operations waited. */
    private int looks;

    private int exclusiveLooks;

    @BeforeEach
    void open() throws IOException {
        Abilities abilities = Abilities.of(temporary);
        AttributeSource source = new Counted(new UnixAttributes(temporary));
        tree = new NodeTree(temporary, source, OPTIONS.nodes(), lock);
        contents = new FileContents(tree, abilities, OPTIONS);
        PathNames names = new PathNames(temporary.getFileSystem(), true);
        changes = new Changes(tree, names, source, contents, abilities, OPTIONS.durability());
    }

    private final class Counted implements AttributeSource {
        private final AttributeSource real;

        Counted(AttributeSource real) {
            this.real = real;
        }

        @Override
        public Seen read(Path path) throws IOException {
            count();
            return real.read(path);
        }

        @Override
        public boolean isDirectory(Path path, @Nullable Object key) throws IOException {
            count();
            return real.isDirectory(path, key);
        }

        /** While somebody changes names, no other thread can use them. */
        private void count() {
            boolean exclusive = CompletableFuture.supplyAsync(() -> {
                        boolean free = lock.using().tryLock();
                        if (free) {
                            lock.using().unlock();
                        }
                        return !free;
                    })
                    .join();
            looks++;
            exclusiveLooks += exclusive ? 1 : 0;
        }

        @Override
        public void setMode(Path path, FileAttributes now, int mode) throws IOException {
            real.setMode(path, now, mode);
        }
    }

    private FileId deepen(FileId from, int levels) throws IOException {
        FileId at = from;
        for (int i = 0; i < levels; i++) {
            at = changes.makeDirectory(PEER, at, NAME, AttributeChange.NONE).id();
        }
        return at;
    }

    private interface Change {
        void make(FileId directory) throws IOException;
    }

    @Test
    void othersDoNotWaitForTheWayToADeepDirectory() throws IOException {
        FileName file = FileName.of("file");
        FileName other = FileName.of("other");
        List<Change> all = List.of(
                in -> changes.create(PEER, in, file, new Creation.Guarded(AttributeChange.NONE)),
                in -> changes.link(
                        PEER, tree.child(tree.resolve(in), Path.of("file")).id(), in, FileName.of("link")),
                in -> changes.rename(PEER, in, file, in, other),
                in -> changes.set(
                        PEER,
                        tree.child(tree.resolve(in), Path.of("other")).id(),
                        TestedStore.mode(0600),
                        Optional.empty()),
                in -> changes.remove(PEER, in, other, false),
                in -> changes.makeSymbolicLink(
                        PEER, in, FileName.of("symbolic"), new byte[] {'x'}, AttributeChange.NONE),
                in -> changes.makeDirectory(PEER, in, FileName.of("directory"), AttributeChange.NONE),
                in -> changes.remove(PEER, in, FileName.of("directory"), true));
        FileId shallow = tree.root().id();
        FileId deep = deepen(shallow, 100);
        for (int i = 0; i < all.size(); i++) {
            int inShallow = exclusiveLooksOf(all.get(i), shallow);
            assertThat(exclusiveLooksOf(all.get(i), deep)).as("change %d", i).isEqualTo(inShallow);
        }
    }

    private int exclusiveLooksOf(Change change, FileId directory) throws IOException {
        exclusiveLooks = 0;
        change.make(directory);
        return exclusiveLooks;
    }

    @Test
    void theWayIsFollowedAgainIfADirectoryHasMovedMeanwhile() throws IOException {
        FileId root = tree.root().id();
        FileId deep = deepen(root, 3);
        NodeTree.Found found = tree.find(PEER, deep);
        changes.rename(PEER, root, NAME, root, FileName.of("moved"));
        assertThat(tree.exclusive(() -> tree.confirmed(found)).path()).isEqualTo(temporary.resolve("moved/d/d"));
        Files.move(temporary.resolve("moved"), temporary.resolve("away"));
        assertFailure(() -> tree.exclusive(() -> tree.confirmed(found)), Failure.STALE);
    }

    @Test
    void theDepthIsLimited() throws IOException {
        FileId root = tree.root().id();
        FileId deepest = deepen(root, NodeTree.DEEPEST);
        assertFailure(() -> changes.makeDirectory(PEER, deepest, NAME, AttributeChange.NONE), Failure.NAMETOOLONG);
        changes.makeDirectory(PEER, root, FileName.of("other"), AttributeChange.NONE);
        assertFailure(() -> changes.rename(PEER, root, FileName.of("other"), deepest, NAME), Failure.NAMETOOLONG);
        FileId file = changes.create(PEER, deepest, FileName.of("file"), new Creation.Guarded(AttributeChange.NONE))
                .id();
        assertThat(tree.resolve(file).attributes().isRegular()).isTrue();
        looks = 0;
        tree.resolve(file);
        assertThat(looks).isEqualTo(NodeTree.DEEPEST + 2);
    }

    /** A local program may make them. */
    @Test
    void directoriesBeyondTheLimitAreListedOnly() throws IOException {
        FileId deepest = deepen(tree.root().id(), NodeTree.DEEPEST);
        Files.createDirectory(tree.resolve(deepest).path().resolve("too deep"));
        assertFailure(
                () -> tree.shared(() -> tree.child(tree.resolve(deepest), Path.of("too deep"))), Failure.NAMETOOLONG);
        List<DirectoryEntry> entries = new ArrayList<>();
        new DirectoryListings(tree, new PathNames(temporary.getFileSystem(), true), 1000)
                .list(PEER, deepest, 0, 0, true, entries::add);
        assertThat(entries).hasSize(3);
        assertThat(entries.get(2).name()).isEqualTo(FileName.of("too deep"));
        assertThat(entries.get(2).file()).isEmpty();
    }
}
