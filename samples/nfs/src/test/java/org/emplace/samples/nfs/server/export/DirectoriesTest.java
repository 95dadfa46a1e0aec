// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.emplace.samples.nfs.server.export.Exported.CALLER;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.emplace.samples.nfs.server.handle.FileHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DirectoriesTest {
    @TempDir
    Path temporary;

    @ParameterizedTest
    @EnumSource
    void everyNameIsListedOnceWhateverTheSizeOfPages(Exported.On where) throws IOException {
        try (Exported exported = Exported.on(where, temporary)) {
            List<String> names = new ArrayList<>(List.of(".", ".."));
            for (int i = 0; i < 200; i++) {
                Files.createFile(exported.directory.resolve("n" + i));
                names.add("n" + i);
            }
            for (int page : new int[] {1, 2, 3, 199, 200, 1000}) {
                assertThat(exported.list(exported.root(), page)).containsExactlyInAnyOrderElementsOf(names);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void removingEntriesWhileListingLeavesNoneOut(Exported.On where) throws IOException {
        try (Exported exported = Exported.on(where, temporary)) {
            for (int i = 0; i < 2000; i++) {
                Files.createFile(exported.directory.resolve("n" + i));
            }
            FileHandle root = exported.root();
            long cookie = 0;
            long verifier = 0;
            boolean end = false;
            while (!end) {
                List<Directories.Entry> page = new ArrayList<>();
                Directories.Listed listed = exported.export()
                        .directories()
                        .list(CALLER, root, cookie, verifier, entry -> page.size() < 50 && page.add(entry));
                for (Directories.Entry entry : page) {
                    cookie = entry.cookie();
                    if (entry.cookie() > 2) {
                        exported.export().namespace().remove(CALLER, root, entry.name());
                    }
                }
                verifier = listed.verifier();
                end = listed.end();
            }
            assertThat(exported.list(root, 100)).containsExactly(".", "..");
        }
    }

    @Test
    void aListingGoesOnAfterARestartAndAmongChanges() throws IOException {
        try (Exported exported = Exported.on(Exported.On.LOCAL, temporary)) {
            for (int i = 0; i < 100; i++) {
                Files.createFile(exported.directory.resolve("stays" + i));
                Files.createFile(exported.directory.resolve("goes" + i));
            }
            Set<String> met = new HashSet<>();
            FileHandle root = exported.root();
            long[] cookie = new long[1];
            Directories.Listed listed = exported.export().directories().list(CALLER, root, 0, 0, entry -> {
                cookie[0] = entry.cookie();
                return met.size() < 60 && met.add(entry.name().toString());
            });
            long last = lastTaken(exported, root, met);
            exported.restart();
            for (int i = 0; i < 100; i++) {
                Files.delete(exported.directory.resolve("goes" + i));
                Files.createFile(exported.directory.resolve("comes" + i));
            }
            exported.export().directories().list(CALLER, root, last, listed.verifier(), entry -> {
                assertThat(met.add(entry.name().toString()))
                        .as("%s is met once", entry.name())
                        .isTrue();
                return true;
            });
            for (int i = 0; i < 100; i++) {
                assertThat(met).contains("stays" + i);
            }
        }
    }

    private static long lastTaken(Exported exported, FileHandle root, Set<String> met) throws IOException {
        long[] last = new long[1];
        exported.export().directories().list(CALLER, root, 0, 0, entry -> {
            if (met.contains(entry.name().toString())) {
                last[0] = entry.cookie();
            }
            return true;
        });
        return last[0];
    }

    @Test
    void anotherServersCookieIsRefused() throws IOException {
        try (Exported exported = Exported.on(Exported.On.LOCAL, temporary)) {
            assertThatThrownBy(
                            () -> exported.export().directories().list(CALLER, exported.root(), 5, 1234, entry -> true))
                    .isInstanceOfSatisfying(
                            ExportException.class, e -> assertThat(e.failure()).isEqualTo(Failure.BAD_COOKIE));
        }
    }

    @Test
    void theHashIsSipHash() {
        byte[] message = new byte[15];
        for (int i = 0; i < message.length; i++) {
            message[i] = (byte) i;
        }
        assertThat(new SipHash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L).hash(message))
                .isEqualTo(0xa129ca6149be45e5L);
    }
}
