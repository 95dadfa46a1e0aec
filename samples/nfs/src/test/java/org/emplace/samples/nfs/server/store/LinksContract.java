// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.store.TestedStore.assertFailure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.emplace.samples.nfs.server.store.Store.CreationResult;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.StoreFixture.Feature;
import org.junit.jupiter.api.Test;

/** LINK, SYMLINK, READLINK and MKNOD. A store without these reports that. */
public interface LinksContract {
    TestedStore tested();

    @Test
    default void symbolicLinksHoldTheirTargets() throws IOException {
        FileId root = tested().root();
        if (!tested().limits().symbolicLinks()) {
            assertFailure(() -> tested().makeLink(root, "link", "target"), Failure.NOTSUPP);
            assertThat(tested().names(root, 10)).containsExactly(".", "..");
            return;
        }
        tested().create(root, "file", "text");
        for (String target : new String[] {"file", "/etc/passwd", "../../..", "nothing/there", ".", "grün 🙂", "a b"}) {
            FileId link = tested().makeLink(root, "link", target);
            assertThat(tested().attributes(link).type()).isEqualTo(FileType.SYMBOLIC_LINK);
            assertThat(tested().lookup("link")).isEqualTo(link);
            assertThat(tested().store().readLink(link)).isEqualTo(target.getBytes(StandardCharsets.UTF_8));
            tested().remove(root, "link");
            assertFailure(() -> tested().store().readLink(link), Failure.STALE);
        }
        assertThat(tested().read(tested().lookup("file"))).isEqualTo("text");
    }

    @Test
    default void symbolicLinksHoldAnyBytesOrRejectThem() throws IOException {
        FileId root = tested().root();
        byte[] target = {'.', '.', '/', (byte) 0xc3, '(', '/', 'x', '/'};
        Store store = tested().store();
        Caller caller = tested().caller();
        FileName name = FileName.of("link");
        if (tested().can(Feature.NAMES_OF_ANY_BYTES)) {
            FileId link = store.makeSymbolicLink(caller, root, name, target, AttributeChange.NONE)
                    .id();
            assertThat(store.readLink(link)).isEqualTo(target);
        } else {
            assertFailure(
                    () -> store.makeSymbolicLink(caller, root, name, target, AttributeChange.NONE),
                    Failure.ACCES,
                    Failure.NOTSUPP);
        }
        for (byte[] none : new byte[][] {{}, {0}, {'a', 0, 'b'}}) {
            assertFailure(
                    () -> store.makeSymbolicLink(caller, root, FileName.of("none"), none, AttributeChange.NONE),
                    Failure.INVAL,
                    Failure.NOTSUPP);
        }
    }

    @Test
    default void symbolicLinksAreNotFollowed() throws IOException {
        FileId root = tested().root();
        FileId file = tested().create(tested().makeDirectory(root, "directory"), "file", "text");
        if (!tested().limits().symbolicLinks()) {
            assertFailure(() -> tested().store().readLink(file), Failure.INVAL, Failure.NOTSUPP);
            return;
        }
        FileId toDirectory = tested().makeLink(root, "to directory", "directory");
        FileId toFile = tested().makeLink(root, "to file", "directory/file");
        assertFailure(() -> tested().lookup(toDirectory, "file"), Failure.NOTDIR);
        assertFailure(() -> tested().create(toDirectory, "new"), Failure.NOTDIR);
        assertFailure(() -> tested().list(toDirectory, 10), Failure.NOTDIR);
        assertFailure(() -> tested().read(toFile, 0, 10), Failure.INVAL);
        assertFailure(() -> tested().write(toFile, 0, "x"), Failure.INVAL);
        assertFailure(() -> tested().set(toFile, TestedStore.size(1)), Failure.INVAL);
        assertFailure(() -> tested().store().readLink(file), Failure.INVAL);
        assertFailure(() -> tested().store().readLink(root), Failure.INVAL);
        assertFailure(() -> tested().removeDirectory(root, "to directory"), Failure.NOTDIR);
        tested().remove(root, "to directory");
        tested().rename(root, "to file", root, "renamed");
        assertThat(tested().attributes(toFile).isSymbolicLink()).isTrue();
        assertThat(tested().read(file)).isEqualTo("text");
    }

    @Test
    default void aModeMeantForASymbolicLinkDoesNotReachItsTarget() throws IOException {
        FileId root = tested().root();
        FileId file = tested().create(root, "file");
        int mode = tested().attributes(file).mode();
        if (tested().limits().symbolicLinks()) {
            FileId link = tested().store()
                    .makeSymbolicLink(
                            tested().caller(),
                            root,
                            FileName.of("link"),
                            new byte[] {'f', 'i', 'l', 'e'},
                            TestedStore.mode(0777))
                    .id();
            try {
                tested().set(link, TestedStore.mode(0600));
            } catch (StoreException e) {
                assertThat(e.failure()).isEqualTo(Failure.NOTSUPP);
            }
        }
        assertThat(tested().attributes(file).mode()).isEqualTo(mode);
    }

    @Test
    default void aFileWithTwoNamesOutlivesOne() throws IOException {
        FileId root = tested().root();
        FileId other = tested().makeDirectory(root, "other");
        FileId file = tested().create(root, "one", "text");
        if (!tested().limits().hardLinks()) {
            assertFailure(() -> tested().link(file, other, "two"), Failure.NOTSUPP);
            assertThat(tested().names(other, 10)).containsExactly(".", "..");
            return;
        }
        CreationResult linked = tested().link(file, other, "two");
        assertThat(linked.id()).isEqualTo(file);
        assertThat(linked.file().attributes().links()).isEqualTo(2);
        assertThat(linked.directory().after()).contains(tested().attributes(other));
        assertThat(tested().lookup(other, "two")).isEqualTo(file);
        tested().remove(root, "one");
        assertThat(tested().attributes(file).links()).isEqualTo(1);
        assertThat(tested().read(file)).isEqualTo("text");
        tested().write(file, 4, " more");
        assertThat(tested().read(tested().lookup("other", "two"))).isEqualTo("text more");
        tested().remove(other, "two");
        assertFailure(() -> tested().attributes(file), Failure.STALE);
    }

    @Test
    default void eachNameOfAFileCanBeRenamedAndReplaced() throws IOException {
        FileId root = tested().root();
        FileId file = tested().create(root, "one", "text");
        if (!tested().limits().hardLinks()) {
            assertFailure(() -> tested().link(file, root, "two"), Failure.NOTSUPP);
            return;
        }
        tested().link(file, root, "two");
        FileId directory = tested().makeDirectory(root, "directory");
        tested().rename(root, "one", directory, "three");
        assertThat(tested().lookup("two")).isEqualTo(file);
        assertThat(tested().lookup("directory", "three")).isEqualTo(file);
        FileId fresh = tested().create(root, "fresh", "fresh");
        tested().rename(root, "fresh", root, "two");
        assertThat(tested().read(file)).isEqualTo("text");
        assertThat(tested().lookup("two")).isEqualTo(fresh);
        assertThat(tested().attributes(file).links()).isEqualTo(1);
    }

    @Test
    default void aFileHasNoMoreNamesThanTheStoreSays() throws IOException {
        FileId root = tested().root();
        FileId file = tested().create(root, "name 1");
        long most = tested().limits().mostLinks();
        for (int i = 2; i <= Math.min(most, 1000); i++) {
            tested().link(file, root, "name " + i);
        }
        if (most <= 1000) {
            assertFailure(
                    () -> tested().link(file, root, "one more"),
                    tested().limits().hardLinks() ? Failure.MLINK : Failure.NOTSUPP);
            assertThat(tested().attributes(file).links()).isEqualTo(most);
        }
    }

    @Test
    default void directoriesAreNotLinked() throws IOException {
        FileId directory = tested().makeDirectory(tested().root(), "directory");
        assertFailure(
                () -> tested().link(directory, tested().root(), "second"),
                tested().limits().hardLinks() ? Failure.INVAL : Failure.NOTSUPP);
    }

    @Test
    default void fifosAndSocketsAreMadeButNeverOpened() throws IOException {
        FileId root = tested().root();
        Store store = tested().store();
        Caller caller = tested().caller();
        for (FileType type : new FileType[] {FileType.FIFO, FileType.SOCKET}) {
            FileName name = FileName.of(type.name());
            if (!tested().can(Feature.SPECIAL_FILES)) {
                assertFailure(() -> store.makeNode(caller, root, name, type, 0, AttributeChange.NONE), Failure.NOTSUPP);
                continue;
            }
            CreationResult made = store.makeNode(caller, root, name, type, 0, TestedStore.mode(0640));
            FileId file = made.id();
            assertThat(made.file().attributes().type()).isEqualTo(type);
            assertThat(made.file().attributes().mode()).isEqualTo(0640);
            assertThat(made.directory().after()).contains(tested().attributes(root));
            assertThat(tested().lookup(type.name())).isEqualTo(file);
            assertFailure(() -> store.read(caller, file).close(), Failure.INVAL);
            assertFailure(() -> tested().write(file, 0, "x"), Failure.INVAL);
            assertFailure(() -> store.commit(caller, file), Failure.INVAL);
            assertFailure(() -> tested().set(file, TestedStore.size(0)), Failure.INVAL);
            assertFailure(
                    () -> tested().create(root, type.name(), new Creation.Unchecked(AttributeChange.NONE)),
                    Failure.EXIST);
            tested().set(file, TestedStore.mode(0600));
            assertThat(tested().attributes(file).mode()).isEqualTo(0600);
            tested().rename(root, type.name(), root, "renamed");
            tested().remove(root, "renamed");
            assertFailure(() -> store.file(file), Failure.STALE);
        }
        assertThat(tested().names(root, 10)).containsExactly(".", "..");
    }

    @Test
    default void mknodRejectsTypesWithTheirOwnProcedures() throws IOException {
        FileId root = tested().root();
        for (FileType type : Arrays.asList(FileType.REGULAR, FileType.DIRECTORY, FileType.SYMBOLIC_LINK)) {
            assertFailure(
                    () -> tested().store()
                            .makeNode(tested().caller(), root, FileName.of("node"), type, 0, AttributeChange.NONE),
                    Failure.BADTYPE,
                    Failure.NOTSUPP);
        }
        assertThat(tested().names(root, 10)).containsExactly(".", "..");
    }
}
