// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.store.TestedStore.assertFailure;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.emplace.samples.nfs.server.store.Store.AccessRights;
import org.emplace.samples.nfs.server.store.Store.DirectoryEntry;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.emplace.samples.nfs.server.store.Store.Limits;
import org.emplace.samples.nfs.server.store.Store.Space;
import org.emplace.samples.nfs.server.store.Store.Stability;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.StoreFixture.Feature;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of a read-only store: files can be found, listed and read, and every change fails with ROFS. */
public abstract class ReadOnlyStoreContract {
    private static final int MANY = 3_000;

    @TempDir
    protected Path temporary;

    private TestedStore tested;

    /** A directory that {@link #populate} filled. */
    protected abstract StoreFixture fixture() throws IOException;

    /** Creates the files that these tests expect in an empty directory. */
    protected static void populate(Path directory) throws IOException {
        Files.writeString(directory.resolve("hello"), "hello world");
        Files.createFile(directory.resolve("empty"));
        Files.write(directory.resolve("large"), large());
        Files.createDirectories(directory.resolve("directory/nested"));
        Files.writeString(directory.resolve("directory/nested/grün 🙂"), "deep");
        Path many = Files.createDirectory(directory.resolve("many"));
        for (int i = 0; i < MANY; i++) {
            Files.createFile(many.resolve("name " + i));
        }
    }

    private static byte[] large() {
        byte[] bytes = new byte[3_000_001];
        new Random(3).nextBytes(bytes);
        return bytes;
    }

    @BeforeEach
    void openStore() throws IOException {
        tested = new TestedStore(fixture());
    }

    @AfterEach
    void closeStore() throws IOException {
        tested.close();
    }

    @Test
    void theStoreReportsIt() throws IOException {
        Limits limits = tested.limits();
        assertThat(limits.readOnly()).isTrue();
        assertThat(limits.longestName()).isBetween(1, 4096);
        Space space = tested.store().space();
        assertThat(space.available()).isZero();
        assertThat(space.free()).isZero();
        assertThat(space.total()).isNotNegative();
    }

    @Test
    void everyChangeIsRefused() throws IOException {
        FileId root = tested.root();
        FileId hello = tested.lookup("hello");
        Store store = tested.store();
        Caller caller = tested.caller();
        FileName free = FileName.of("free");
        AttributeChange none = AttributeChange.NONE;
        Payload data = Payload.of(ByteBuffer.allocate(3));
        assertFailure(() -> store.create(caller, root, free, new Creation.Guarded(none)), Failure.ROFS);
        assertFailure(() -> store.create(caller, root, free, new Creation.Unchecked(none)), Failure.ROFS);
        assertFailure(() -> store.create(caller, root, free, new Creation.Exclusive(7)), Failure.ROFS);
        assertFailure(() -> store.makeDirectory(caller, root, free, none), Failure.ROFS);
        assertFailure(() -> store.makeSymbolicLink(caller, root, free, new byte[] {'t'}, none), Failure.ROFS);
        assertFailure(() -> store.makeNode(caller, root, free, FileType.FIFO, 0, none), Failure.ROFS);
        assertFailure(() -> store.link(caller, hello, root, free), Failure.ROFS);
        assertFailure(() -> tested.remove(root, "hello"), Failure.ROFS);
        assertFailure(() -> tested.removeDirectory(tested.lookup("directory"), "nested"), Failure.ROFS);
        assertFailure(() -> tested.rename(root, "hello", root, "free"), Failure.ROFS);
        assertFailure(() -> store.write(caller, hello, 0, data, Stability.UNSTABLE), Failure.ROFS);
        assertFailure(() -> store.commit(caller, hello), Failure.ROFS);
        assertFailure(() -> tested.set(hello, TestedStore.size(3)), Failure.ROFS);
        assertFailure(() -> tested.set(hello, TestedStore.mode(0600)), Failure.ROFS);
        assertFailure(() -> store.setAttributes(caller, hello, none, Optional.empty()), Failure.ROFS);
        assertThat(tested.read(hello)).isEqualTo("hello world");
        assertThat(tested.names(root, 100))
                .containsExactlyInAnyOrder(".", "..", "hello", "empty", "large", "directory", "many");
    }

    @Test
    void filesAreFoundByName() throws IOException {
        FileId root = tested.root();
        FileId directory = tested.lookup("directory");
        FileId nested = tested.lookup(directory, "nested");
        FileId deep = tested.lookup(nested, "grün 🙂");
        assertThat(tested.lookup("..")).isEqualTo(root);
        assertThat(tested.lookup(nested, "..")).isEqualTo(directory);
        assertThat(tested.lookup("directory", ".", "nested", "grün 🙂")).isEqualTo(deep);
        assertThat(tested.store().file(deep).id()).isEqualTo(deep);
        assertThat(tested.attributes(nested).type()).isEqualTo(FileType.DIRECTORY);
        assertThat(tested.attributes(deep).type()).isEqualTo(FileType.REGULAR);
        assertThat(tested.read(deep)).isEqualTo("deep");
    }

    @Test
    void missingFilesAreReported() throws IOException {
        FileId hello = tested.lookup("hello");
        assertFailure(() -> tested.lookup("nothing"), Failure.NOENT);
        assertFailure(() -> tested.lookup("hello", "nothing"), Failure.NOTDIR);
        for (String name : new String[] {"", "directory/nested", "/", "a\0"}) {
            assertFailure(() -> tested.lookup(name), Failure.ACCES);
        }
        assertFailure(() -> tested.lookup("x".repeat(tested.limits().longestName() + 1)), Failure.NAMETOOLONG);
        FileName odd = new FileName(new byte[] {'a', (byte) 0xff});
        assertFailure(
                () -> tested.store().lookup(tested.caller(), tested.root(), odd),
                tested.can(Feature.NAMES_OF_ANY_BYTES) ? Failure.NOENT : Failure.ACCES);
        assertFailure(() -> tested.list(hello, 5), Failure.NOTDIR);
        assertFailure(() -> tested.store().readLink(hello), Failure.INVAL, Failure.NOTSUPP);
        assertFailure(() -> tested.store().read(tested.caller(), tested.root()).close(), Failure.ISDIR, Failure.INVAL);
        assertFailure(() -> tested.attributes(new FileId(new byte[0])), Failure.BADHANDLE);
    }

    @Test
    void filesAreReadInAnyOrder() throws IOException {
        byte[] expected = large();
        FileId large = tested.lookup("large");
        assertThat(tested.attributes(large).size()).isEqualTo(expected.length);
        assertThat(tested.read(large, 0, expected.length + 1)).isEqualTo(expected);
        Random random = new Random(5);
        for (int i = 0; i < 100; i++) {
            int offset = random.nextInt(expected.length);
            int length = Math.min(random.nextInt(100_000), expected.length - offset);
            byte[] part = java.util.Arrays.copyOfRange(expected, offset, offset + length);
            assertThat(tested.read(large, offset, length)).isEqualTo(part);
        }
        assertThat(tested.read(large, expected.length - 2, 10)).hasSize(2);
        assertThat(tested.read(large, expected.length, 10)).isEmpty();
        assertThat(tested.read(large, Long.MAX_VALUE, 10)).isEmpty();
        assertThat(tested.read(tested.lookup("empty"), 0, 10)).isEmpty();
    }

    @Test
    void severalReadAtOnce() {
        byte[] expected = large();
        IntStream.range(0, 40).parallel().forEach(i -> {
            try {
                int offset = i * 70_000;
                assertThat(tested.read(tested.lookup("large"), offset, 60_000))
                        .isEqualTo(java.util.Arrays.copyOfRange(expected, offset, offset + 60_000));
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
    }

    @Test
    void largeDirectoriesAreListedInPages() throws IOException {
        FileId many = tested.lookup("many");
        Set<String> expected = new HashSet<>(List.of(".", ".."));
        for (int i = 0; i < MANY; i++) {
            expected.add("name " + i);
        }
        for (int page : new int[] {170, 2000, MANY + 2}) {
            List<String> listed = new ArrayList<>(tested.names(many, page));
            assertThat(listed).hasSize(expected.size()).startsWith(".", "..");
            assertThat(new HashSet<>(listed)).isEqualTo(expected);
        }
        TestedStore.Page page = tested.list(many, 5);
        assertFailure(() -> tested.list(many, page.cookie(), page.listed().verifier() + 12345, 5), Failure.BAD_COOKIE);
        for (DirectoryEntry entry : page.entries()) {
            assertThat(entry.file())
                    .map(FoundFile::id)
                    .contains(tested.store()
                            .lookup(tested.caller(), many, entry.name())
                            .id());
        }
    }

    @Test
    void accessGrantsNoChange() throws IOException {
        int changes = AccessRights.MODIFY | AccessRights.EXTEND | AccessRights.DELETE;
        for (String name : new String[] {"hello", "directory"}) {
            int granted = tested.store()
                    .access(tested.caller(), tested.lookup(name), 0x3f)
                    .rights();
            assertThat(granted & changes).isZero();
            assertThat(granted & AccessRights.READ).isNotZero();
        }
    }

    @Test
    void idsLastAsLongAsTheStoreSays() throws IOException {
        FileId hello = tested.lookup("hello");
        tested.restart();
        if (tested.limits().lasting()) {
            assertThat(tested.lookup("hello")).isEqualTo(hello);
        } else {
            assertFailure(() -> tested.attributes(hello), Failure.STALE);
        }
        assertThat(tested.read(tested.lookup("hello"))).isEqualTo("hello world");
    }
}
