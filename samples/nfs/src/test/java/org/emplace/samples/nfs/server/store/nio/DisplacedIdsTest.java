// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store.DirectoryEntry;
import org.emplace.samples.nfs.server.store.Store.Durability;
import org.emplace.samples.nfs.server.store.TestedStore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However many files one client looks at, the ids of another stay valid. */
class DisplacedIdsTest {
    private static final int NODES = 50;
    private static final int MANY = 500;

    @TempDir
    Path temporary;

    @AutoClose
    private TestedStore tested;

    private Caller good;
    private Caller bad;
    private FileId deep;
    private FileId file;

    /** The good client has a file open, deep in the tree. */
    @BeforeEach
    void open() throws IOException {
        Files.createDirectory(temporary.resolve("many"));
        for (int i = 0; i < MANY; i++) {
            Files.createFile(temporary.resolve("many/file " + i));
        }
        Files.writeString(Files.createDirectories(temporary.resolve("a/b/c")).resolve("open"), "text");
        NioOptions options =
                NioOptions.DEFAULT.withDurability(Durability.DEFERRED).withNodes(NODES);
        tested = new TestedStore(() -> NioStore.open(temporary, options));
        good = tested.caller().withPeer("good");
        bad = tested.caller().withPeer("bad");
        deep = lookup(good, "a", "b", "c");
        file = tested.store().lookup(good, deep, FileName.of("open")).id();
    }

    private FileId lookup(Caller caller, String... names) throws IOException {
        FileId at = tested.root();
        for (String name : names) {
            at = tested.store().lookup(caller, at, FileName.of(name)).id();
        }
        return at;
    }

    private void assertStillOpen() throws IOException {
        assertThat(tested.read(file)).isEqualTo("text");
        assertThat(tested.attributes(deep).isDirectory()).isTrue();
    }

    private void list(Caller caller, boolean withFiles) throws IOException {
        List<DirectoryEntry> entries = new ArrayList<>();
        tested.store().list(caller, lookup(caller, "many"), 0, 0, withFiles, entries::add);
        assertThat(entries).hasSize(MANY + 2);
        assertThat(entries.get(2).number()).isPositive();
    }

    @Test
    void aListingOfNamesDisplacesNoId() throws IOException {
        list(good, false);
        assertStillOpen();
    }

    @Test
    void aListingWithAttributesDisplacesNoIdOfAnotherClient() throws IOException {
        list(bad, true);
        assertStillOpen();
    }

    @Test
    void lookingUpManyFilesDisplacesNoIdOfAnotherClient() throws IOException {
        FileId many = lookup(bad, "many");
        for (int round = 0; round < 2; round++) {
            // Nor does it help to use the other's file.
            lookup(bad, "a", "b", "c", "open");
            for (int i = 0; i < MANY; i++) {
                tested.store().lookup(bad, many, FileName.of("file " + i));
            }
        }
        assertStillOpen();
    }
}
