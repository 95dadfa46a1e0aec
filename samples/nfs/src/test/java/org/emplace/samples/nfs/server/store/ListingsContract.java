// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.store.TestedStore.assertFailure;

import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.emplace.samples.nfs.server.store.Store.DirectoryEntry;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.TestedStore.Page;
import org.junit.jupiter.api.Test;

/** READDIR and READDIRPLUS. */
public interface ListingsContract {
    TestedStore tested();

    private List<String> makeFiles(FileId in, String prefix, int count) throws IOException {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            tested().create(in, prefix + i);
            names.add(prefix + i);
        }
        return names;
    }

    @Test
    default void everyNameIsListedOnceWhateverTheSizeOfPages() throws IOException {
        FileId root = tested().root();
        assertThat(tested().names(root, 1)).containsExactly(".", "..");
        List<String> names = makeFiles(root, "n", 200);
        tested().makeDirectory(root, "directory");
        names.addAll(List.of(".", "..", "directory"));
        for (int page : new int[] {1, 2, 3, 202, 203, 204, 1000}) {
            List<String> listed = tested().names(root, page);
            assertThat(listed).containsExactlyInAnyOrderElementsOf(names).startsWith(".", "..");
        }
    }

    @Test
    default void entriesNameTheirFiles() throws IOException {
        FileId root = tested().root();
        FileId directory = tested().makeDirectory(root, "directory");
        tested().create(directory, "file", "text");
        tested().makeDirectory(directory, "below");
        Page page = tested().list(directory, 10);
        assertThat(page.listed().directory().number())
                .isEqualTo(tested().attributes(directory).number());
        assertThat(page.listed().end()).isTrue();
        Set<Long> cookies = new HashSet<>();
        for (DirectoryEntry entry : page.entries()) {
            FoundFile found = tested().store().lookup(tested().caller(), directory, entry.name());
            assertThat(entry.file()).map(FoundFile::id).contains(found.id());
            assertThat(entry.file())
                    .map(f -> f.attributes().changed())
                    .contains(found.attributes().changed());
            assertThat(entry.number()).isEqualTo(found.attributes().number());
            assertThat(entry.cookie()).isPositive();
            assertThat(cookies.add(entry.cookie())).isTrue();
        }
        assertThat(page.entries().get(1).file()).map(FoundFile::id).contains(root);
        tested().store().list(tested().caller(), directory, 0, 0, false, entry -> {
            assertThat(entry.file()).isEmpty();
            return true;
        });
    }

    @Test
    default void rejectedEntriesAreListedAgain() throws IOException {
        makeFiles(tested().root(), "n", 3);
        Page none = tested().list(tested().root(), 0);
        assertThat(none.entries()).isEmpty();
        assertThat(none.listed().end()).isFalse();
        Page all = tested().list(tested().root(), 5);
        assertThat(all.listed().end()).isTrue();
        Page nothing = tested().list(tested().root(), all.cookie(), all.listed().verifier(), 5);
        assertThat(nothing.entries()).isEmpty();
        assertThat(nothing.listed().end()).isTrue();
        Page two = tested().list(tested().root(), 2);
        Page again = tested().list(tested().root(), two.cookie(), two.listed().verifier(), 5);
        assertThat(again.names()).isEqualTo(all.names().subList(2, 5));
    }

    @Test
    default void removingEntriesWhileListingLeavesNoneOut() throws IOException {
        FileId root = tested().root();
        makeFiles(root, "n", 1000);
        Page page = tested().list(root, 50);
        while (true) {
            for (String name : page.names()) {
                if (!name.startsWith(".")) {
                    tested().remove(root, name);
                }
            }
            if (page.listed().end()) {
                break;
            }
            page = tested().list(root, page.cookie(), page.listed().verifier(), 50);
        }
        assertThat(tested().names(root, 100)).containsExactly(".", "..");
    }

    @Test
    default void lastingEntriesAreListedOnceDespiteChanges() throws IOException {
        FileId root = tested().root();
        Set<String> staying = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            tested().create(root, "stays" + i);
            staying.add("stays" + i);
            tested().create(root, "goes" + i);
        }
        List<String> met = new ArrayList<>();
        Page page = tested().list(root, 20);
        for (int step = 0; ; step++) {
            met.addAll(page.names());
            if (page.listed().end()) {
                break;
            }
            for (int i = step * 10; i < step * 10 + 10 && i < 300; i++) {
                tested().remove(root, "goes" + i);
                tested().create(root, "comes" + i);
                tested().rename(root, "comes" + i, root, "came" + i);
            }
            if (step == 7 && tested().limits().lasting()) {
                tested().restart();
            }
            page = tested().list(root, page.cookie(), page.listed().verifier(), 20);
        }
        List<String> metStaying = met.stream().filter(staying::contains).toList();
        assertThat(metStaying).containsExactlyInAnyOrderElementsOf(staying);
        assertThat(new HashSet<>(met)).hasSameSizeAs(met);
    }

    @Test
    default void aNewListingHasWhatWasMadeBefore() throws IOException {
        FileId root = tested().root();
        for (int i = 0; i < 50; i++) {
            tested().create(root, "n" + i);
            assertThat(tested().names(root, 20)).hasSize(i + 3).contains("n" + i);
        }
        for (int i = 0; i < 50; i++) {
            tested().remove(root, "n" + i);
            assertThat(tested().names(root, 20)).hasSize(51 - i).doesNotContain("n" + i);
        }
    }

    @Test
    default void aNewListingHasWhatWasMadeAfterOneThatWasLeft() throws IOException {
        FileId root = tested().root();
        makeFiles(root, "n", 50);
        FileTime old = FileTime.from(Instant.parse("2001-02-03T04:05:06Z"));
        for (int i = 0; i < 10; i++) {
            if (tested().limits().setsTimes()) {
                tested().set(root, TestedStore.times(old, old));
            }
            assertThat(tested().list(root, 20).listed().end()).isFalse();
            tested().create(root, "new" + i);
            tested().remove(root, "n" + i);
            if (tested().limits().setsTimes()) {
                tested().set(root, TestedStore.times(old, old));
            }
            assertThat(tested().names(root, 20)).hasSize(52).contains("new" + i).doesNotContain("n" + i);
        }
    }

    @Test
    default void manyEntriesAreListedByTwoClientsAtOnce() throws IOException {
        FileId in = tested().makeDirectory(tested().root(), "many");
        List<String> names = makeFiles(in, "name ", tested().many());
        List<String> slowly = new ArrayList<>();
        List<String> quickly = new ArrayList<>();
        Page slow = tested().list(in, 500);
        Page quick = tested().list(in, 3000);
        slowly.addAll(slow.names());
        quickly.addAll(quick.names());
        while (!slow.listed().end()) {
            slow = tested().list(in, slow.cookie(), slow.listed().verifier(), 500);
            slowly.addAll(slow.names());
            if (!quick.listed().end()) {
                quick = tested().list(in, quick.cookie(), quick.listed().verifier(), 3000);
                quickly.addAll(quick.names());
            }
        }
        Set<String> expected = new HashSet<>(names);
        expected.addAll(List.of(".", ".."));
        for (List<String> listed : List.of(slowly, quickly)) {
            assertThat(listed).hasSize(expected.size());
            assertThat(new HashSet<>(listed)).isEqualTo(expected);
        }
    }

    @Test
    default void severalDirectoriesAreListedAtOnce() throws IOException {
        List<FileId> directories = new ArrayList<>();
        List<Page> pages = new ArrayList<>();
        for (int d = 0; d < 100; d++) {
            FileId directory = tested().makeDirectory(tested().root(), "d" + d);
            makeFiles(directory, "in" + d + "-", 5);
            directories.add(directory);
            pages.add(tested().list(directory, 4));
        }
        for (int d = 0; d < 100; d++) {
            Page first = pages.get(d);
            Page rest = tested().list(
                            directories.get(d), first.cookie(), first.listed().verifier(), 10);
            List<String> names = new ArrayList<>(first.names());
            names.addAll(rest.names());
            String in = "in" + d + "-";
            assertThat(names).containsExactlyInAnyOrder(".", "..", in + 0, in + 1, in + 2, in + 3, in + 4);
        }
    }

    @Test
    default void anInventedCookieIsRejected() throws IOException {
        FileId root = tested().root();
        makeFiles(root, "n", 10);
        Page page = tested().list(root, 5);
        long verifier = page.listed().verifier();
        assertFailure(() -> tested().list(root, page.cookie(), verifier + 12345, 5), Failure.BAD_COOKIE);
        assertFailure(() -> tested().list(root, -1, verifier, 5), Failure.BAD_COOKIE);
    }

    @Test
    default void aRemovedDirectoryIsNotListedFurther() throws IOException {
        FileId directory = tested().makeDirectory(tested().root(), "directory");
        tested().create(directory, "file");
        Page page = tested().list(directory, 1);
        tested().remove(directory, "file");
        tested().removeDirectory(tested().root(), "directory");
        assertFailure(
                () -> tested().list(directory, page.cookie(), page.listed().verifier(), 5), Failure.STALE);
        assertFailure(() -> tested().list(directory, 5), Failure.STALE);
    }
}
