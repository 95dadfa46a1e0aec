// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.store.TestedStore.assertFailure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.samples.nfs.server.store.Store.ReadableFile;
import org.emplace.samples.nfs.server.store.Store.RenameResult;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.junit.jupiter.api.Test;

/** RENAME over each type of file, and the ids afterwards. */
public interface RenamesContract {
    TestedStore tested();

    @Test
    default void aFileKeepsItsIdWhenItIsRenamed() throws IOException {
        FileId root = tested().root();
        FileId a = tested().makeDirectory(root, "a");
        FileId file = tested().create(a, "file", "hello");
        long number = tested().attributes(file).number();
        tested().rename(root, "a", root, "b");
        tested().rename(a, "file", root, "moved");
        assertThat(tested().lookup("b")).isEqualTo(a);
        assertThat(tested().lookup("moved")).isEqualTo(file);
        assertThat(tested().read(file)).isEqualTo("hello");
        assertThat(tested().attributes(file).number()).isEqualTo(number);
        assertFailure(() -> tested().lookup("a"), Failure.NOENT);
        assertFailure(() -> tested().lookup(a, "file"), Failure.NOENT);
        assertThat(tested().names(a, 10)).containsExactly(".", "..");
    }

    @Test
    default void everythingBelowARenamedDirectoryKeepsItsId() throws IOException {
        FileId root = tested().root();
        FileId other = tested().makeDirectory(root, "other");
        FileId top = tested().makeDirectory(root, "top");
        List<FileId> ids = new ArrayList<>();
        FileId deep = top;
        for (int i = 0; i < 30; i++) {
            ids.add(tested().create(deep, "file", "level " + i));
            deep = tested().makeDirectory(deep, "d");
        }
        tested().rename(root, "top", other, "moved");
        for (int i = 0; i < 30; i++) {
            assertThat(tested().read(ids.get(i))).isEqualTo("level " + i);
        }
        assertThat(tested().lookup(top, "..")).isEqualTo(other);
        assertThat(tested().lookup("other", "moved", "d", "d", "file")).isEqualTo(ids.get(2));
        tested().create(deep, "new", "deep");
        assertThat(tested().names(deep, 10)).containsExactly(".", "..", "new");
    }

    @Test
    default void aFileReplacesAFile() throws IOException {
        FileId root = tested().root();
        FileId a = tested().create(root, "a", "a");
        FileId b = tested().create(root, "b", "b");
        tested().rename(root, "a", root, "b");
        assertThat(tested().lookup("b")).isEqualTo(a);
        assertThat(tested().read(a)).isEqualTo("a");
        assertFailure(() -> tested().lookup("a"), Failure.NOENT);
        assertFailure(() -> tested().attributes(b), Failure.STALE);
        assertFailure(() -> tested().write(b, 0, "x"), Failure.STALE);
    }

    @Test
    default void aDirectoryReplacesAnEmptyDirectoryOnly() throws IOException {
        FileId root = tested().root();
        FileId a = tested().makeDirectory(root, "a");
        FileId inA = tested().create(a, "file", "in a");
        FileId empty = tested().makeDirectory(root, "empty");
        FileId full = tested().makeDirectory(root, "full");
        tested().create(full, "file", "in full");
        assertFailure(() -> tested().rename(root, "a", root, "full"), Failure.EXIST, Failure.NOTEMPTY);
        assertThat(tested().lookup("a")).isEqualTo(a);
        assertThat(tested().read(tested().lookup("full", "file"))).isEqualTo("in full");
        tested().rename(root, "a", root, "empty");
        assertThat(tested().lookup("empty")).isEqualTo(a);
        assertThat(tested().lookup("empty", "file")).isEqualTo(inA);
        assertFailure(() -> tested().attributes(empty), Failure.STALE);
    }

    @Test
    default void nothingReplacesAFileOfAnotherType() throws IOException {
        FileId root = tested().root();
        FileId file = tested().create(root, "file");
        FileId directory = tested().makeDirectory(root, "directory");
        assertFailure(() -> tested().rename(root, "file", root, "directory"), Failure.EXIST);
        assertFailure(() -> tested().rename(root, "directory", root, "file"), Failure.EXIST);
        assertThat(tested().lookup("file")).isEqualTo(file);
        assertThat(tested().lookup("directory")).isEqualTo(directory);
        if (tested().limits().symbolicLinks()) {
            FileId link = tested().makeLink(root, "link", "directory");
            assertFailure(() -> tested().rename(root, "link", root, "directory"), Failure.EXIST);
            assertFailure(() -> tested().rename(root, "directory", root, "link"), Failure.EXIST);
            tested().rename(root, "link", root, "file");
            assertThat(tested().lookup("file")).isEqualTo(link);
            assertThat(tested().attributes(link).isSymbolicLink()).isTrue();
            assertFailure(() -> tested().attributes(file), Failure.STALE);
        }
    }

    @Test
    default void aDirectoryIsNotMovedIntoItself() throws IOException {
        FileId root = tested().root();
        FileId d = tested().makeDirectory(root, "d");
        FileId e = tested().makeDirectory(d, "e");
        assertFailure(() -> tested().rename(root, "d", d, "x"), Failure.INVAL);
        assertFailure(() -> tested().rename(root, "d", e, "x"), Failure.INVAL);
        assertThat(tested().lookup("d", "e")).isEqualTo(e);
        assertFailure(() -> tested().rename(d, "e", root, "d"), Failure.EXIST, Failure.NOTEMPTY);
    }

    @Test
    default void aNameGivenToItsOwnFileChangesNothing() throws IOException {
        FileId root = tested().root();
        FileId file = tested().create(root, "file", "text");
        FileId d = tested().makeDirectory(root, "d");
        tested().create(d, "in");
        tested().rename(root, "file", root, "file");
        tested().rename(root, "d", root, "d");
        assertThat(tested().lookup("file")).isEqualTo(file);
        assertThat(tested().lookup("d")).isEqualTo(d);
        if (tested().limits().hardLinks()) {
            tested().link(file, d, "second");
            tested().rename(root, "file", d, "second");
            assertThat(tested().lookup("file")).isEqualTo(file);
            assertThat(tested().lookup(d, "second")).isEqualTo(file);
        }
        assertThat(tested().read(file)).isEqualTo("text");
    }

    @Test
    default void bothDirectoriesHaveAttributesInTheReply() throws IOException {
        FileId a = tested().makeDirectory(tested().root(), "a");
        FileId b = tested().makeDirectory(tested().root(), "b");
        tested().create(a, "file");
        Optional<FileAttributes> beforeA = Optional.of(tested().attributes(a));
        Optional<FileAttributes> beforeB = Optional.of(tested().attributes(b));
        RenameResult renamed = tested().rename(a, "file", b, "file");
        assertThat(renamed.from().before())
                .map(FileAttributes::changed)
                .isEqualTo(beforeA.map(FileAttributes::changed));
        assertThat(renamed.to().before()).map(FileAttributes::changed).isEqualTo(beforeB.map(FileAttributes::changed));
        assertThat(renamed.from().after()).contains(tested().attributes(a));
        assertThat(renamed.to().after()).contains(tested().attributes(b));
        RenameResult within = tested().rename(b, "file", b, "other");
        assertThat(within.from().before()).isEqualTo(renamed.to().after());
        assertThat(within.from()).isEqualTo(within.to());
    }

    @Test
    default void anOpenFileCanBeRenamed() throws IOException {
        FileId root = tested().root();
        FileId file = tested().create(root, "file", "text");
        try (ReadableFile reading = tested().store().read(tested().caller(), file)) {
            tested().rename(root, "file", root, "other");
            assertThat(reading.attributes().size()).isEqualTo(4);
        }
        assertThat(tested().read(file)).isEqualTo("text");
    }

    @Test
    default void aNameThatWasMovedAwayIsFree() throws IOException {
        FileId root = tested().root();
        FileId first = tested().create(root, "name", "first");
        tested().rename(root, "name", root, "moved");
        FileId second = tested().create(root, "name", "second");
        assertThat(second).isNotEqualTo(first);
        assertThat(tested().read(first)).isEqualTo("first");
        assertThat(tested().read(second)).isEqualTo("second");
        tested().rename(root, "moved", root, "name");
        assertThat(tested().read(tested().lookup("name"))).isEqualTo("first");
        assertFailure(() -> tested().attributes(second), Failure.STALE);
    }
}
