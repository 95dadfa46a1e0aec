// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.emplace.samples.nfs.server.store.TestedStore.assertFailure;

import com.github.marschall.memoryfilesystem.MemoryFileSystemBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.emplace.samples.nfs.client.command.FailingStores;
import org.emplace.samples.nfs.client.command.ServedExport;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileType;
import org.emplace.samples.nfs.server.store.Store.Durability;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.TestedStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Properties of this store: its bounds, the effects of other programs on its files, and file systems that lack much. */
class NioStoreTest {
    private static final NioOptions OPTIONS = NioOptions.DEFAULT.withDurability(Durability.DEFERRED);

    @TempDir
    Path temporary;

    private static TestedStore over(Path directory, NioOptions options) throws IOException {
        return new TestedStore(() -> NioStore.open(directory, options));
    }

    @Test
    void aDirectoryReplacedByASymbolicLinkIsNotFollowed() throws IOException {
        Path exported = Files.createDirectory(temporary.resolve("exported"));
        try (TestedStore tested = over(exported, OPTIONS)) {
            FileId inside = tested.makeDirectory(tested.root(), "inside");
            FileId file = tested.create(inside, "file", "text");
            Files.move(exported.resolve("inside"), temporary.resolve("taken away"));
            Files.createSymbolicLink(exported.resolve("inside"), temporary.resolve("taken away"));
            assertFailure(() -> tested.read(file), Failure.STALE);
            assertFailure(() -> tested.write(file, 0, "x"), Failure.STALE);
            assertFailure(() -> tested.create(inside, "new"), Failure.STALE);
            assertThat(temporary.resolve("taken away/file")).hasContent("text");
        }
    }

    @Test
    void aFileMovedByAnotherProgramIsStaleUntilItIsSeenAgain() throws IOException {
        try (TestedStore tested = over(temporary, OPTIONS)) {
            FileId a = tested.makeDirectory(tested.root(), "a");
            FileId file = tested.create(a, "file", "text");
            Files.move(temporary.resolve("a"), temporary.resolve("b"));
            assertFailure(() -> tested.read(file), Failure.STALE);
            assertThat(tested.read(tested.lookup("b", "file"))).isEqualTo("text");
        }
    }

    @Test
    void changesByOtherProgramsAreSeen() throws IOException {
        try (TestedStore tested = over(temporary, OPTIONS)) {
            FileId root = tested.root();
            for (int i = 0; i < 20; i++) {
                Files.writeString(temporary.resolve("file" + i), "made");
                assertThat(tested.names(root, 5)).hasSize(i + 3).contains("file" + i);
            }
            FileId file = tested.lookup("file3");
            assertThat(tested.read(file)).isEqualTo("made");
            Files.delete(temporary.resolve("file3"));
            assertFailure(() -> tested.read(file), Failure.STALE);
            assertThat(tested.names(root, 5)).doesNotContain("file3");
        }
    }

    @Test
    void aFifoInAFilesPlaceIsNotOpened() throws Exception {
        try (TestedStore tested = over(temporary, OPTIONS)) {
            FileId file = tested.create(tested.root(), "file");
            Files.delete(temporary.resolve("file"));
            assertThat(new ProcessBuilder("mkfifo", temporary.resolve("file").toString())
                            .start()
                            .waitFor())
                    .isZero();
            assertFailure(() -> tested.read(file, 0, 10), Failure.STALE);
            FileId fifo = tested.lookup("file");
            assertThat(tested.attributes(fifo).type()).isEqualTo(FileType.FIFO);
            assertFailure(() -> tested.read(fifo, 0, 10), Failure.INVAL);
            assertFailure(() -> tested.write(fifo, 0, "x"), Failure.INVAL);
            assertFailure(() -> tested.set(fifo, TestedStore.size(0)), Failure.INVAL);
            FileTime time = FileTime.fromMillis(1000);
            assertFailure(() -> tested.set(fifo, TestedStore.times(time, time)), Failure.NOTSUPP);
            tested.set(fifo, TestedStore.mode(0600));
            assertThat(tested.attributes(fifo).mode()).isEqualTo(0600);
            tested.rename(tested.root(), "file", tested.root(), "renamed");
            tested.remove(tested.root(), "renamed");
            assertThat(temporary).isEmptyDirectory();
        }
    }

    @Test
    void idsAreForgottenWhenThereAreTooMany() throws IOException {
        try (TestedStore tested = over(temporary, OPTIONS.withNodes(50))) {
            FileId deep = tested.root();
            for (int i = 0; i < 20; i++) {
                deep = tested.makeDirectory(deep, "d" + i);
            }
            List<FileId> files = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                files.add(tested.create(deep, "file" + i, "text " + i));
            }
            for (int i = 0; i < 200; i++) {
                FileId file = files.get(i);
                if (i < 170) {
                    assertFailure(() -> tested.attributes(file), Failure.STALE);
                } else if (i >= 180) {
                    assertThat(tested.read(file)).isEqualTo("text " + i);
                }
            }
            assertThat(tested.attributes(deep).isDirectory()).isTrue();
            assertThat(tested.names(deep, 30)).hasSize(202);
            assertThat(tested.read(tested.lookup(deep, "file0"))).isEqualTo("text 0");
        }
    }

    /** Each name takes memory, so a file with many counts as many. */
    @Test
    void idsAreForgottenWhenTheirFilesHaveTooManyNames() throws IOException {
        try (TestedStore tested = over(temporary, OPTIONS.withNodes(50))) {
            FileId file = tested.create(tested.root(), "file", "text");
            for (int i = 0; i < 40; i++) {
                tested.link(file, tested.root(), "name" + i);
            }
            assertThat(tested.read(file)).isEqualTo("text");
            for (int i = 0; i < 10; i++) {
                tested.create(tested.root(), "other" + i);
            }
            assertFailure(() -> tested.attributes(file), Failure.STALE);
            assertThat(tested.read(tested.lookup("name7"))).isEqualTo("text");
        }
    }

    /** Like rsync or tar, sets the time of a directory after filling it. */
    @Test
    void filesOfOtherProgramsAreSeenWhateverTheDirectorysTime() throws IOException {
        try (TestedStore tested = over(temporary, OPTIONS)) {
            FileId root = tested.root();
            FileTime old = FileTime.from(Instant.parse("2001-02-03T04:05:06Z"));
            for (int i = 0; i < 20; i++) {
                Files.createFile(temporary.resolve("file" + i));
                Files.setLastModifiedTime(temporary, old);
                assertThat(tested.names(root, 5)).hasSize(i + 3).contains("file" + i);
                assertThat(tested.list(root, 2).entries()).hasSize(2);
            }
        }
    }

    @Test
    void aDirectoryWithMoreNamesThanAreKeptIsListedInParts() throws IOException {
        try (TestedStore tested = over(temporary, OPTIONS.withListedNames(100))) {
            Set<String> expected = new HashSet<>(List.of(".", ".."));
            for (int i = 0; i < 1000; i++) {
                Files.createFile(temporary.resolve("n" + i));
                expected.add("n" + i);
            }
            for (int page : new int[] {1, 7, 25, 26, 300, 2000}) {
                List<String> names = tested.names(tested.root(), page);
                assertThat(names).hasSize(expected.size());
                assertThat(new HashSet<>(names)).isEqualTo(expected);
            }
        }
    }

    @Test
    void fewFilesAreKeptOpen() throws IOException {
        try (TestedStore tested = over(temporary, OPTIONS.withOpenFiles(3))) {
            List<FileId> files = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                files.add(tested.create(tested.root(), "file" + i, "content " + i));
            }
            for (int i = 0; i < 20; i++) {
                assertThat(tested.read(files.get(i))).isEqualTo("content " + i);
            }
            assertThat(opened()).isLessThanOrEqualTo(3);
        }
    }

    /** A program that is open for writing cannot be run. */
    @Test
    void aFileThatIsNotUsedIsClosedThoughNoOtherIsUsed() throws IOException {
        try (TestedStore tested = over(temporary, OPTIONS.withIdle(Duration.ofMillis(10)))) {
            tested.create(tested.root(), "program", "text");
            Awaitility.await().until(() -> opened() == 0);
        }
    }

    private long opened() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(fd -> leadsBelow(fd, temporary)).count();
        }
    }

    private static boolean leadsBelow(Path descriptor, Path directory) {
        try {
            return Files.readSymbolicLink(descriptor).startsWith(directory);
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }

    @Test
    void changesCanBePutOnStableStorageBeforeTheReply() throws IOException {
        try (TestedStore tested = over(temporary, NioOptions.DEFAULT)) {
            FileId directory = tested.makeDirectory(tested.root(), "directory");
            FileId file = tested.create(directory, "file", "text");
            tested.set(file, TestedStore.mode(0600));
            tested.makeLink(directory, "link", "file");
            tested.rename(directory, "file", tested.root(), "moved");
            assertThat(temporary.resolve("moved")).hasContent("text");
        }
    }

    @Test
    void aGuardNoticesChangesThatTheFileSystemDoesNotRecord() throws IOException {
        try (FileSystem memory = MemoryFileSystemBuilder.newLinux().build();
                TestedStore tested = over(Files.createDirectory(memory.getPath("/exported")), OPTIONS)) {
            FileId file = tested.create(tested.root(), "file");
            FileTime changed = tested.attributes(file).changed();
            tested.store().setAttributes(tested.caller(), file, TestedStore.mode(0600), Optional.of(changed));
            assertFailure(
                    () -> tested.store()
                            .setAttributes(tested.caller(), file, TestedStore.mode(0640), Optional.of(changed)),
                    Failure.NOT_SYNC);
        }
    }

    @Test
    void aSymbolicLinkThatJavaWouldChangeIsRefused() throws IOException {
        try (TestedStore tested = over(temporary, OPTIONS)) {
            assertFailure(() -> tested.makeLink(tested.root(), "link", "a//b"), Failure.NOTSUPP);
            assertThat(temporary).isEmptyDirectory();
        }
    }

    /** All callers act as the server's user, whose programs they could change: root's, perhaps. */
    @Test
    void aProgramThatIsWrittenToLosesItsSetIdBits() throws IOException {
        Path program = Files.createFile(temporary.resolve("program"));
        try (TestedStore tested = over(temporary, OPTIONS)) {
            FileId file = tested.lookup("program");
            Files.setAttribute(program, "unix:mode", 06755);
            tested.store().commit(tested.caller(), file);
            assertThat(Files.getAttribute(program, "unix:mode")).isEqualTo(0106755);
            tested.write(file, 0, "#!");
            assertThat(Files.getAttribute(program, "unix:mode")).isEqualTo(0100755);
            Files.setAttribute(program, "unix:mode", 06755);
            tested.set(file, TestedStore.size(1));
            assertThat(Files.getAttribute(program, "unix:mode")).isEqualTo(0100755);
        }
    }

    @Test
    void aNameOfWindowsThatBeginsWithADriveIsRefused() throws IOException {
        try (FileSystem windows = MemoryFileSystemBuilder.newWindows().build();
                TestedStore tested = over(Files.createDirectory(windows.getPath("C:\\exported")), OPTIONS)) {
            Files.writeString(windows.getPath("C:\\outside"), "outside");
            for (String name : new String[] {"C:outside", "C:", "..\\outside", "\\outside"}) {
                assertFailure(() -> tested.lookup(name), Failure.ACCES);
                assertFailure(() -> tested.create(tested.root(), name), Failure.ACCES);
            }
        }
    }

    @Test
    void aFileSystemWithoutPositionalReadsReportsIt() throws IOException {
        Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base/java/lang");
        try (TestedStore tested = over(modules, OPTIONS)) {
            assertThat(tested.limits().readOnly()).isTrue();
            assertThat(tested.names(tested.root(), 100)).contains("String.class", "reflect");
            FileId object = tested.lookup("Object.class");
            assertThat(tested.attributes(object).size()).isPositive();
            assertFailure(() -> tested.read(object, 0, 4), Failure.NOTSUPP);
            assertFailure(() -> tested.remove(tested.root(), "Object.class"), Failure.ROFS);
        }
    }

    @Test
    void aGapThatWouldHaveToBeWrittenIsNotTooLarge() throws IOException {
        try (FileSystem memory = MemoryFileSystemBuilder.newLinux().build();
                TestedStore tested = over(Files.createDirectory(memory.getPath("/exported")), OPTIONS)) {
            FileId file = tested.create(tested.root(), "file", "text");
            assertFailure(() -> tested.write(file, 1L << 40, "x"), Failure.FBIG);
            assertFailure(() -> tested.set(file, TestedStore.size(1L << 40)), Failure.FBIG);
            assertThat(tested.read(file)).isEqualTo("text");
        }
    }

    /** Some file systems store what was written only when a file is closed. */
    @Test
    void aCloseThatFailsChangesTheWriteVerifier() throws IOException {
        FailingStores disks = new FailingStores();
        try (ServedExport served = new ServedExport("tcp", temporary, disks.opener());
                FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of());
                TestedStore tested = over(nfs.getPath("/"), OPTIONS.withOpenFiles(1))) {
            FileId file = tested.create(tested.root(), "file");
            disks.begin("write", 1, operation -> {
                throw new StoreException(Failure.NOSPC, "the disk is full");
            });
            long verifier = tested.write(file, 0, "lost").verifier();
            tested.create(tested.root(), "other"); // closes the first
            assertThat(tested.store().commit(tested.caller(), file).verifier()).isNotEqualTo(verifier);
            assertThat(tested.read(file)).isEmpty();
        }
    }

    @Test
    void onlyADirectoryCanBeOpened() throws IOException {
        Path file = Files.createFile(temporary.resolve("file"));
        assertThatThrownBy(() -> NioStore.open(file, OPTIONS)).isInstanceOf(NotDirectoryException.class);
        assertThatThrownBy(() -> NioStore.open(temporary.resolve("nothing"), OPTIONS))
                .isInstanceOf(IOException.class);
    }

    @Test
    void theHashIsSipHash() {
        byte[] message = new byte[15];
        for (int i = 0; i < message.length; i++) {
            message[i] = (byte) i;
        }
        assertThat(new SipHash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L).hash(message))
                .isEqualTo(0xa129ca6149be45e5L);
        assertThat(new SipHash(1, 2).hash("a".getBytes(StandardCharsets.UTF_8)))
                .isNotEqualTo(new SipHash(1, 3).hash("a".getBytes(StandardCharsets.UTF_8)));
    }
}
