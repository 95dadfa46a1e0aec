// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.store.TestedStore.assertFailure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.emplace.samples.nfs.server.store.Store.WeakCacheConsistency;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.StoreFixture.Feature;
import org.junit.jupiter.api.Test;

/** Finding, creating and removing files by name, and their ids. */
public interface NamesContract {
    TestedStore tested();

    @Test
    default void theRootIsADirectoryAndItsOwnParent() throws IOException {
        FileId root = tested().root();
        assertThat(tested().attributes(root).isDirectory()).isTrue();
        assertThat(tested().lookup("..")).isEqualTo(root);
        assertThat(tested().lookup(".")).isEqualTo(root);
        assertThat(tested().store().root().id()).isEqualTo(root);
    }

    @Test
    default void dotsDoNotLeaveTheTree() throws IOException {
        FileId below = tested().makeDirectory(tested().root(), "below");
        FileId further = tested().makeDirectory(below, "further");
        assertThat(tested().lookup("below", "..")).isEqualTo(tested().root());
        assertThat(tested().lookup("below", "..", "..", "..")).isEqualTo(tested().root());
        assertThat(tested().lookup("below", ".")).isEqualTo(below);
        assertThat(tested().lookup(further, "..")).isEqualTo(below);
    }

    @Test
    default void newFilesAreFound() throws IOException {
        FileId a = tested().makeDirectory(tested().root(), "a");
        FileId file = tested().create(a, "file");
        assertThat(tested().lookup("a")).isEqualTo(a);
        assertThat(tested().lookup("a", "file")).isEqualTo(file);
        assertThat(tested().attributes(a).type()).isEqualTo(FileType.DIRECTORY);
        assertThat(tested().attributes(file).type()).isEqualTo(FileType.REGULAR);
        assertThat(tested().store().lookup(tested().caller(), a, FileName.of("file")))
                .isEqualTo(tested().store().file(file));
    }

    /** Operations that take a name, for {@link #namesOfAllOperations}. */
    @FunctionalInterface
    interface NameUse {
        void run(FileId directory, FileName name) throws IOException;
    }

    private List<NameUse> lookups() throws IOException {
        Store store = tested().store();
        Caller caller = tested().caller();
        FileId root = tested().root();
        return List.of(
                (in, name) -> store.lookup(caller, in, name),
                (in, name) -> store.remove(caller, in, name),
                (in, name) -> store.removeDirectory(caller, in, name),
                (in, name) -> store.rename(caller, in, name, root, FileName.of("unused")));
    }

    private List<NameUse> makers() throws IOException {
        Store store = tested().store();
        Caller caller = tested().caller();
        FileId root = tested().root();
        FileName taken = FileName.of("taken");
        FileId file = store.create(caller, root, taken, new Creation.Unchecked(AttributeChange.NONE))
                .id();
        byte[] target = {'t'};
        List<NameUse> makers = new ArrayList<>(List.of(
                (in, name) -> store.create(caller, in, name, new Creation.Guarded(AttributeChange.NONE)),
                (in, name) -> store.create(caller, in, name, new Creation.Unchecked(AttributeChange.NONE)),
                (in, name) -> store.create(caller, in, name, new Creation.Exclusive(4711)),
                (in, name) -> store.makeDirectory(caller, in, name, AttributeChange.NONE)));
        if (store.limits().symbolicLinks()) {
            makers.add((in, name) -> store.makeSymbolicLink(caller, in, name, target, AttributeChange.NONE));
        }
        if (store.limits().hardLinks()) {
            makers.add((in, name) -> store.link(caller, file, in, name));
        }
        if (tested().can(Feature.SPECIAL_FILES)) {
            makers.add((in, name) -> store.makeNode(caller, in, name, FileType.FIFO, 0, AttributeChange.NONE));
        }
        return makers;
    }

    private List<NameUse> namesOfAllOperations() throws IOException {
        Caller caller = tested().caller();
        FileId root = tested().root();
        List<NameUse> all = new ArrayList<>(lookups());
        all.addAll(makers());
        all.add((in, name) -> tested().store().rename(caller, root, FileName.of("taken"), in, name));
        return all;
    }

    @Test
    default void invalidNamesAreRejected() throws IOException {
        FileId root = tested().root();
        for (NameUse use : namesOfAllOperations()) {
            for (String name : new String[] {"", "a/b", "/", "a/", "/a", "../a", "a\0b", "\0"}) {
                assertFailure(() -> use.run(root, FileName.of(name)), Failure.ACCES);
            }
        }
        assertThat(tested().names(root, 10)).containsExactly(".", "..", "taken");
    }

    @Test
    default void dotsCannotBeCreatedRemovedOrRenamed() throws IOException {
        FileId in = tested().makeDirectory(tested().root(), "in");
        for (String dots : new String[] {".", ".."}) {
            for (NameUse creator : makers()) {
                assertFailure(() -> creator.run(in, FileName.of(dots)), Failure.EXIST);
            }
            assertFailure(() -> tested().rename(in, dots, tested().root(), "x"), Failure.INVAL);
            assertFailure(() -> tested().rename(tested().root(), "taken", in, dots), Failure.INVAL);
            assertFailure(() -> tested().remove(in, dots), Failure.INVAL, Failure.EXIST, Failure.ISDIR);
        }
        assertFailure(() -> tested().removeDirectory(in, "."), Failure.INVAL);
        assertFailure(() -> tested().removeDirectory(in, ".."), Failure.EXIST);
        assertThat(tested().names(tested().root(), 10)).containsExactlyInAnyOrder(".", "..", "in", "taken");
    }

    @Test
    default void aTooLongNameIsReported() throws IOException {
        int longest = tested().limits().longestName();
        for (NameUse use : namesOfAllOperations()) {
            assertFailure(() -> use.run(tested().root(), FileName.of("x".repeat(longest + 1))), Failure.NAMETOOLONG);
            assertFailure(() -> use.run(tested().root(), FileName.of("x".repeat(9000))), Failure.NAMETOOLONG);
        }
        FileId file = tested().create(tested().root(), "y".repeat(longest));
        assertThat(tested().lookup("y".repeat(longest))).isEqualTo(file);
        assertThat(tested().names(tested().root(), 10)).contains("y".repeat(longest));
    }

    @Test
    default void namesKeepTheirBytes() throws IOException {
        for (String text :
                new String[] {"Grüße 東京 🙂", "\u0001\t\n\u007f", "a\\b:c*?\"<>|", " ", "...", "..a", "-rf", "~", "%2F"
                }) {
            FileName name = FileName.of(text);
            if (text.contains(":") && !tested().can(Feature.NAMES_WITH_COLONS)) {
                assertFailure(() -> tested().create(tested().root(), text), Failure.ACCES);
                continue;
            }
            FileId file = tested().create(tested().root(), text);
            assertThat(tested().lookup(text)).isEqualTo(file);
            assertThat(tested().list(tested().root(), 10).entries())
                    .anyMatch(e -> e.name().equals(name));
            tested().rename(tested().root(), text, tested().root(), text + "2");
            tested().remove(tested().root(), text + "2");
        }
    }

    @Test
    default void namesThatAreNotUtf8AreKeptOrRefused() throws IOException {
        FileName odd = new FileName(new byte[] {'a', (byte) 0xff, (byte) 0xe9, ' ', '%', '\\', (byte) 0x80});
        FileName odder = new FileName(new byte[] {(byte) 0xc3, '('});
        FileId root = tested().root();
        if (!tested().can(Feature.NAMES_OF_ANY_BYTES)) {
            for (NameUse use : namesOfAllOperations()) {
                assertFailure(() -> use.run(root, odd), Failure.ACCES);
            }
            return;
        }
        Store store = tested().store();
        Caller caller = tested().caller();
        FileId file = store.create(caller, root, odd, new Creation.Guarded(AttributeChange.NONE))
                .id();
        assertThat(store.lookup(caller, root, odd).id()).isEqualTo(file);
        store.rename(caller, root, odd, root, odder);
        assertFailure(() -> store.lookup(caller, root, odd), Failure.NOENT);
        assertThat(store.lookup(caller, root, odder).id()).isEqualTo(file);
        assertThat(tested().list(root, 10).entries()).anyMatch(e -> e.name().equals(odder));
        store.remove(caller, root, odder);
        assertThat(tested().names(root, 10)).containsExactly(".", "..");
    }

    @Test
    default void onlyADirectoryHasNames() throws IOException {
        FileId file = tested().create(tested().root(), "file");
        for (NameUse use : namesOfAllOperations()) {
            assertFailure(() -> use.run(file, FileName.of("name")), Failure.NOTDIR);
        }
        assertFailure(() -> tested().lookup(file, "."), Failure.NOTDIR);
        assertFailure(() -> tested().lookup(file, ".."), Failure.NOTDIR);
        assertFailure(() -> tested().list(file, 10), Failure.NOTDIR);
    }

    @Test
    default void missingFilesAreNotFound() throws IOException {
        for (NameUse use : lookups()) {
            assertFailure(() -> use.run(tested().root(), FileName.of("nothing")), Failure.NOENT);
        }
    }

    @Test
    default void anExistingNameCannotBeCreatedAgain() throws IOException {
        FileId root = tested().root();
        tested().create(root, "file");
        tested().makeDirectory(root, "directory");
        Store store = tested().store();
        Caller caller = tested().caller();
        for (NameUse creator : makers()) {
            assertFailure(() -> creator.run(root, FileName.of("directory")), Failure.EXIST);
        }
        FileName file = FileName.of("file");
        assertFailure(() -> tested().create(root, "file"), Failure.EXIST);
        assertFailure(() -> tested().makeDirectory(root, "file"), Failure.EXIST);
        if (store.limits().symbolicLinks()) {
            assertFailure(() -> tested().makeLink(root, "file", "x"), Failure.EXIST);
        }
        if (store.limits().hardLinks()) {
            assertFailure(() -> tested().link(tested().lookup("taken"), root, "file"), Failure.EXIST);
        }
        if (tested().can(Feature.SPECIAL_FILES)) {
            assertFailure(
                    () -> store.makeNode(caller, root, file, FileType.FIFO, 0, AttributeChange.NONE), Failure.EXIST);
        }
    }

    @Test
    default void onlyTheNamedFileIsRemoved() throws IOException {
        FileId root = tested().root();
        FileId directory = tested().makeDirectory(root, "directory");
        FileId file = tested().create(directory, "file");
        FileId other = tested().create(directory, "other");
        assertFailure(() -> tested().removeDirectory(root, "directory"), Failure.NOTEMPTY);
        assertFailure(() -> tested().remove(root, "directory"), Failure.ISDIR);
        assertFailure(() -> tested().removeDirectory(directory, "file"), Failure.NOTDIR);
        assertFailure(() -> tested().remove(root, "nothing"), Failure.NOENT);
        tested().remove(directory, "file");
        assertFailure(() -> tested().lookup(directory, "file"), Failure.NOENT);
        assertThat(tested().lookup(directory, "other")).isEqualTo(other);
        tested().remove(directory, "other");
        tested().removeDirectory(root, "directory");
        assertFailure(() -> tested().attributes(file), Failure.STALE);
        assertFailure(() -> tested().attributes(directory), Failure.STALE);
        assertThat(tested().names(root, 10)).containsExactly(".", "..");
    }

    @Test
    default void everyOperationOnARemovedFileIsStale() throws IOException {
        FileId root = tested().root();
        FileId file = tested().create(root, "file", "text");
        FileId directory = tested().makeDirectory(root, "directory");
        List<NameUse> uses = namesOfAllOperations();
        tested().remove(root, "file");
        tested().removeDirectory(root, "directory");
        for (NameUse use : uses) {
            assertFailure(() -> use.run(directory, FileName.of("name")), Failure.STALE);
        }
        assertFailure(() -> tested().list(directory, 10), Failure.STALE);
        assertRefused(file, Failure.STALE);
        if (tested().limits().hardLinks()) {
            assertFailure(() -> tested().link(file, root, "again"), Failure.STALE);
        }
    }

    private void assertRefused(FileId file, Failure... reasons) throws IOException {
        Store store = tested().store();
        Caller caller = tested().caller();
        assertFailure(() -> store.file(file), reasons);
        assertFailure(() -> store.access(caller, file, 0x3f), reasons);
        assertFailure(() -> store.read(caller, file).close(), reasons);
        assertFailure(() -> tested().write(file, 0, "x"), reasons);
        assertFailure(() -> store.commit(caller, file), reasons);
        assertFailure(() -> tested().set(file, TestedStore.size(1)), reasons);
        assertFailure(() -> store.setAttributes(caller, file, AttributeChange.NONE, Optional.empty()), reasons);
        if (store.limits().symbolicLinks()) {
            assertFailure(() -> store.readLink(file), reasons);
        }
    }

    @Test
    default void invalidIdsAreRejected() throws IOException {
        assertRefused(new FileId(new byte[0]), Failure.BADHANDLE);
        for (int length = 1; length <= FileId.LONGEST; length++) {
            byte[] made = new byte[length];
            java.util.Arrays.fill(made, (byte) 0xa5);
            assertRefused(new FileId(made), Failure.BADHANDLE, Failure.STALE);
        }
    }

    @Test
    default void idsNeverComeToNameAnotherFile() throws IOException {
        FileId root = tested().root();
        Set<FileId> gone = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            boolean file = i % 3 != 0;
            FileId made = file ? tested().create(root, "name") : tested().makeDirectory(root, "name");
            assertThat(gone).doesNotContain(made);
            if (i % 10 == 5 && tested().limits().lasting()) {
                tested().restart();
                assertThat(tested().lookup("name")).isEqualTo(made);
            }
            for (FileId old : gone) {
                assertFailure(() -> tested().attributes(old), Failure.STALE);
            }
            gone.add(made);
            if (file) {
                tested().remove(root, "name");
            } else {
                tested().removeDirectory(root, "name");
            }
        }
    }

    @Test
    default void idsLastAsLongAsTheStoreSays() throws IOException {
        List<FileId> ids = new ArrayList<>(List.of(tested().root()));
        FileId deep = tested().root();
        for (int i = 0; i < 10; i++) {
            deep = tested().makeDirectory(deep, "d" + i);
            ids.add(deep);
        }
        FileId file = tested().create(deep, "file", "still here");
        ids.add(file);
        tested().restart();
        for (FileId id : ids) {
            if (tested().limits().lasting()) {
                assertThat(tested().store().file(id).id()).isEqualTo(id);
            } else {
                assertFailure(() -> tested().attributes(id), Failure.STALE);
            }
        }
        FileId again = tested().lookup("d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "d9", "file");
        assertThat(again.equals(file)).isEqualTo(tested().limits().lasting());
        assertThat(tested().read(again)).isEqualTo("still here");
    }

    @Test
    default void removalsReturnTheDirectoryBeforeAndAfter() throws IOException {
        FileId in = tested().makeDirectory(tested().root(), "in");
        tested().create(in, "file");
        tested().makeDirectory(in, "directory");
        FileAttributes before = tested().attributes(in);
        WeakCacheConsistency removed = tested().remove(in, "file");
        assertThat(removed.before()).map(FileAttributes::changed).contains(before.changed());
        assertThat(removed.after()).contains(tested().attributes(in));
        WeakCacheConsistency removedDirectory = tested().removeDirectory(in, "directory");
        assertThat(removedDirectory.before()).isEqualTo(removed.after());
        assertThat(removedDirectory.after()).contains(tested().attributes(in));
    }
}
