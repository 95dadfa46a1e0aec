// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.emplace.samples.nfs.server.store.TestedStore.assertFailure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.emplace.samples.nfs.server.store.AttributeChange;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.Creation;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.FileType;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.Store.DirectoryEntry;
import org.emplace.samples.nfs.server.store.Store.Durability;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.TestedStore;
import org.emplace.samples.nfs.server.store.posix.SystemCalls.LibC;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The effects of local programs on an exported tree, and features of Linux. Uses the kernel's handles, where the process may, and the index. */
class PosixTreeTest {
    private static final Caller ANYBODY = Caller.NOBODY;

    @TempDir
    Path temporary;

    private TestedStore open(boolean index) throws IOException {
        Path directory = Files.createDirectory(temporary.resolve("export"));
        return new TestedStore(new PosixFixture(directory, PosixFixture.OPTIONS.withIndex(index)));
    }

    private Path local(String path) {
        return temporary.resolve("export").resolve(path);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void depthDoesNotMatter(boolean index) throws IOException {
        try (TestedStore tested = open(index)) {
            // 500 levels, and a path of 100,000 bytes: the kernel accepts 4096 at a time.
            String name = "x".repeat(200);
            Deque<FileId> above = new ArrayDeque<>(List.of(tested.root()));
            for (int i = 0; i < 500; i++) {
                above.push(tested.makeDirectory(above.getFirst(), name));
            }
            FileId file = tested.create(above.getFirst(), "file", "deep");
            tested.restart();
            assertThat(tested.read(eventually(tested, file))).isEqualTo("deep");
            assertThat(tested.lookup(above.getFirst(), ".."))
                    .isEqualTo(above.stream().skip(1).findFirst().orElseThrow());
            tested.remove(above.pop(), "file");
            while (!above.isEmpty()) {
                tested.removeDirectory(above.pop(), name);
            }
        }
    }

    /** Linux at first answers ENOMEM for some of them, if it opens files by handle. */
    @Test
    void removedFilesAreStaleWhileALocalProgramMakesOthers() throws Exception {
        try (TestedStore tested = open(false)) {
            List<FileId> gone = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                gone.add(tested.create(tested.root(), "file" + i));
            }
            for (int i = 0; i < 64; i++) {
                tested.remove(tested.root(), "file" + i);
            }
            AtomicBoolean over = new AtomicBoolean();
            CompletableFuture<Void> making = CompletableFuture.allOf(
                    CompletableFuture.runAsync(() -> makeAndRemove("one", over), task -> new Thread(task).start()),
                    CompletableFuture.runAsync(() -> makeAndRemove("other", over), task -> new Thread(task).start()));
            try {
                for (int round = 0; round < 500; round++) {
                    for (FileId id : gone) {
                        assertFailure(() -> tested.attributes(id), Failure.STALE);
                    }
                }
            } finally {
                over.set(true);
                making.join();
            }
        }
    }

    private void makeAndRemove(String name, AtomicBoolean over) {
        try {
            while (!over.get()) {
                Files.delete(Files.createFile(local(name)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Only then is its space on the disk free. */
    @Test
    void aFileThatALocalProgramRemovedIsClosedThoughNoOtherIsUsed() throws IOException {
        Path directory = Files.createDirectory(temporary.resolve("export"));
        PosixOptions options = PosixFixture.OPTIONS.withIdle(Duration.ofMillis(10));
        try (TestedStore tested = new TestedStore(new PosixFixture(directory, options))) {
            FileId file = tested.create(tested.root(), "file", "text");
            assertThat(tested.read(file)).isEqualTo("text");
            Files.delete(local("file"));
            Awaitility.await().until(() -> openIn(directory) == 0);
        }
    }

    @Test
    void aFileThatAClientRemovedIsClosedAtOnce() throws IOException {
        Path directory = Files.createDirectory(temporary.resolve("export"));
        try (TestedStore tested = new TestedStore(new PosixFixture(directory, PosixFixture.OPTIONS))) {
            FileId file = tested.create(tested.root(), "file", "text");
            assertThat(tested.read(file)).isEqualTo("text");
            assertThat(openIn(directory)).isPositive();
            tested.store().remove(tested.caller(), tested.root(), FileName.of("file"));
            assertThat(openIn(directory)).isZero();
            assertFailure(() -> tested.attributes(file), Failure.STALE);
        }
    }

    /** The descriptors of this process for files in a directory, including removed ones. */
    private static long openIn(Path directory) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.filter(each -> leadsInto(each, directory)).count();
        }
    }

    private static boolean leadsInto(Path descriptor, Path directory) {
        try {
            Path file = Files.readSymbolicLink(descriptor);
            return file.startsWith(directory) && !file.equals(directory);
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }

    /** The directory of an interrupted listing stays open, so that its next page need not search for its position. */
    @Test
    void manyListingsOfOneClientDoNotEndThoseOfAnother() throws IOException {
        Path directory = Files.createDirectory(temporary.resolve("export"));
        PosixOptions options = PosixFixture.OPTIONS.withListings(4).withLocated(1);
        try (TestedStore tested = new TestedStore(new PosixFixture(directory, options))) {
            Caller good = tested.caller().withPeer("good");
            Caller bad = tested.caller().withPeer("bad");
            begin(tested, good, "large");
            Path large = local("large");
            assertThat(openAs(large)).isEqualTo(1);
            for (int i = 0; i < 10; i++) {
                begin(tested, bad, "other " + i);
            }
            assertThat(openAs(large)).isEqualTo(1);
        }
    }

    /** Lists the beginning of a new directory. */
    private static void begin(TestedStore tested, Caller caller, String name) throws IOException {
        FileId directory = tested.makeDirectory(tested.root(), name);
        for (int i = 0; i < 5; i++) {
            tested.create(directory, "file " + i);
        }
        List<DirectoryEntry> entries = new ArrayList<>();
        tested.store().list(caller, directory, 0, 0, false, entry -> entries.size() < 4 && entries.add(entry));
        // Only the latest file that was found by its handle stays open for that.
        tested.attributes(tested.root());
    }

    /** How often a file is open in this process. */
    private static long openAs(Path file) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors
                    .filter(each -> target(each).equals(file.toString()))
                    .count();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingWaitsForAFifo(boolean index) throws IOException {
        try (TestedStore tested = open(index)) {
            FileId root = tested.root();
            FileId file = tested.create(root, "file", "text");
            Files.delete(local("file"));
            Store store = tested.store();
            FileId fifo = store.makeNode(
                            ANYBODY, root, FileName.of("file"), FileType.FIFO, 0, AttributeChange.NONE.withMode(0666))
                    .id();
            Assertions.assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
                assertFailure(() -> tested.read(file), Failure.STALE);
                assertFailure(() -> tested.write(file, 0, "text"), Failure.STALE);
                assertFailure(() -> store.read(ANYBODY, fifo), Failure.INVAL);
                assertFailure(() -> tested.write(fifo, 0, "text"), Failure.INVAL);
                assertFailure(() -> store.commit(ANYBODY, fifo), Failure.INVAL);
                assertFailure(() -> tested.set(fifo, TestedStore.size(0)), Failure.INVAL);
                for (Creation how : new Creation[] {
                    new Creation.Unchecked(TestedStore.size(0)),
                    new Creation.Guarded(AttributeChange.NONE),
                    new Creation.Exclusive(5)
                }) {
                    assertFailure(() -> tested.create(root, "file", how), Failure.EXIST);
                }
                tested.set(fifo, TestedStore.mode(0600));
                tested.link(fifo, root, "another");
                tested.rename(root, "another", root, "renamed");
                tested.remove(root, "renamed");
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noLinkIsFollowed(boolean index) throws IOException {
        Path outside = Files.createDirectory(temporary.resolve("outside"));
        Files.writeString(outside.resolve("file"), "outside");
        try (TestedStore tested = open(index)) {
            FileId directory = tested.makeDirectory(tested.root(), "directory");
            FileId file = tested.create(directory, "file", "inside");
            Files.move(local("directory"), local("moved"));
            Files.createSymbolicLink(local("directory"), outside);

            FileId link = tested.lookup("directory");
            assertThat(tested.attributes(link).type()).isEqualTo(FileType.SYMBOLIC_LINK);
            assertFailure(() -> tested.lookup(link, "file"), Failure.NOTDIR);
            assertFailure(() -> tested.create(link, "new"), Failure.NOTDIR);
            assertFailure(() -> tested.list(link, 10), Failure.NOTDIR);
            assertFailure(() -> tested.read(link), Failure.INVAL);
            assertThat(tested.read(eventually(tested, file))).isEqualTo("inside");
            tested.write(file, 0, "INSIDE");
            tested.set(link, TestedStore.mode(0777));
            assertThat(Files.readString(outside.resolve("file"))).isEqualTo("outside");
            assertThat(local("moved/file")).hasContent("INSIDE");
        }
    }

    /** Like clients, retries after JUKEBOX. */
    private static FileId eventually(TestedStore tested, FileId file) throws IOException {
        Awaitility.await().ignoreExceptions().until(() -> {
            tested.attributes(file);
            return true;
        });
        return file;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void filesMovedOutOfTheTreeHaveNoParent(boolean index) throws IOException {
        try (TestedStore tested = open(index)) {
            FileId directory = tested.makeDirectory(tested.root(), "directory");
            Files.move(local("directory"), temporary.resolve("outside"));
            assertFailure(() -> tested.lookup(directory, ".."), Failure.STALE, Failure.JUKEBOX);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anIdThatTheStoreCannotHaveMadeIsABadHandle(boolean index) throws IOException {
        try (TestedStore tested = open(index)) {
            for (byte[] id : new byte[][] {{}, {1}, {0, 1, 2, 3}, {9, 9, 9, 9, 9, 9, 9, 9, 9}, new byte[46]}) {
                assertFailure(() -> tested.attributes(new FileId(id)), Failure.BADHANDLE);
            }
            byte[] other = tested.root().bytes();
            other[other.length - 1] ^= 0x55;
            assertFailure(() -> tested.attributes(new FileId(other)), Failure.STALE);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void mountPointsAreABoundary(boolean index) throws IOException {
        try (PosixStore store = PosixStore.open(Path.of("/"), PosixFixture.OPTIONS.withIndex(index))) {
            FileId root = store.root().id();
            assertFailure(() -> store.lookup(ANYBODY, root, FileName.of("proc")), Failure.ACCES);
            List<DirectoryEntry> mounted = new ArrayList<>();
            store.list(ANYBODY, root, 0, 0, true, entry -> {
                if (Set.of("proc", "..").contains(entry.name().toString())) {
                    mounted.add(entry);
                }
                return true;
            });
            assertThat(mounted).hasSize(2);
            assertThat(mounted.get(0).file()).map(f -> f.id()).contains(root);
            assertThat(mounted.get(1).file()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRemovedFileIsNotKeptOpen(boolean index) throws IOException {
        try (TestedStore tested = open(index)) {
            for (String name : new String[] {"removed", "replaced"}) {
                tested.read(tested.create(tested.root(), name, "text"));
            }
            tested.remove(tested.root(), "removed");
            tested.create(tested.root(), "other");
            tested.rename(tested.root(), "other", tested.root(), "replaced");
            try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
                assertThat(open.map(PosixTreeTest::target))
                        .noneMatch(target -> target.contains(temporary.toString()) && target.contains("(deleted)"));
            }
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everythingCanBePutOnStableStorageFirst(boolean index) throws IOException {
        Path directory = Files.createDirectory(temporary.resolve("export"));
        PosixOptions options = PosixOptions.DEFAULT.withIndex(index);
        assertThat(options.durability()).isEqualTo(Durability.SYNCHRONOUS);
        try (TestedStore tested = new TestedStore(new PosixFixture(directory, options))) {
            FileId root = tested.root();
            FileId file = tested.create(root, "file", "text");
            tested.makeLink(root, "link", "target");
            FileId below = tested.makeDirectory(root, "below");
            tested.link(file, below, "file too");
            tested.rename(root, "link", below, "link");
            tested.set(tested.lookup("below", "link"), TestedStore.owner(-1, -1));
            tested.set(file, TestedStore.mode(0600));
            tested.store().setAttributes(tested.caller(), below, TestedStore.mode(0700), Optional.empty());
            tested.remove(below, "link");
            tested.remove(below, "file too");
            tested.removeDirectory(root, "below");
            assertThat(tested.read(file)).isEqualTo("text");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aListingShowsWhatCameAfterTheOneBeforeIt(int pageSize) throws IOException {
        try (TestedStore tested = open(false)) {
            FileId root = tested.root();
            Files.createFile(local("first"));
            TestedStore.Page page = tested.list(root, pageSize);
            Files.createFile(local("second"));
            Files.delete(local("first"));
            assertThat(tested.names(root, pageSize)).containsExactlyInAnyOrder(".", "..", "second");
            assertThat(tested.list(root, page.cookie(), page.listed().verifier(), 10)
                            .names())
                    .doesNotContain("first");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRepeatedPageShowsTheCurrentEntries(boolean index) throws IOException {
        try (TestedStore tested = open(index)) {
            FileId root = tested.root();
            for (int i = 0; i < 10; i++) {
                Files.createFile(local("file " + i));
            }
            TestedStore.Page page = tested.list(root, 5);
            List<String> rest =
                    new ArrayList<>(tested.list(root, page.cookie(), 0, 20).names());
            tested.list(root, 5);
            // After the clock's last tick, which is the kernel's resolution for changes.
            FileTime before = Files.getLastModifiedTime(local(""));
            Awaitility.await().until(() -> {
                Files.delete(Files.createFile(local("tick")));
                return Files.getLastModifiedTime(local("")).compareTo(before) > 0;
            });
            String renamed = rest.remove(0);
            Files.delete(local(renamed));
            List<String> names = new ArrayList<>();
            tested.store()
                    .list(
                            ANYBODY,
                            root,
                            page.cookie(),
                            0,
                            false,
                            entry -> names.add(entry.name().toString()));
            assertThat(names).containsExactlyElementsOf(rest);
        }
    }

    @Test
    void aChangeThatCannotBeCommittedIsNotMade() throws IOException {
        Path directory = Files.createDirectory(temporary.resolve("export"));
        try (TestedStore tested = new TestedStore(new PosixFixture(directory, PosixOptions.DEFAULT))) {
            Files.writeString(local("file"), "text");
            FileId file = tested.lookup("file");
            tested.set(file, TestedStore.mode(0600));
            byte[] path = NameBytes.terminated(FileName.of(local("file").toString()));
            try (Descriptor leased = Descriptor.of(SystemCalls.open(path, SystemCalls.READ_WRITE), "opening")) {
                // Notifies this process by SIGURG, which it ignores, that another process wants the file.
                assertThat(LibC.fcntl(leased.number(), 10, 23)).isZero();
                assertThat(LibC.fcntl(leased.number(), 1024, 1)).isZero();
                assertFailure(() -> tested.set(file, TestedStore.mode(0640)), Failure.JUKEBOX);
                assertThat(tested.attributes(file).mode()).isEqualTo(0600);
                tested.link(file, tested.root(), "another");
            }
            assertThat(tested.names(tested.root(), 10)).contains("another");
            tested.set(file, TestedStore.mode(0640));
            assertThat(tested.attributes(file).mode()).isEqualTo(0640);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFileSystemWithoutFileIdentityIsRejected(boolean index) {
        assertThatThrownBy(() -> PosixStore.open(Path.of("/proc"), PosixFixture.OPTIONS.withIndex(index)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot export this file system");
    }
}
