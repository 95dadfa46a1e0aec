// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.emplace.samples.nfs.server.StoreKind;
import org.emplace.samples.nfs.server.export.Exports.StoreOpener;
import org.emplace.samples.nfs.server.store.AttributeChange;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** If one export is inside another, clients can leave neither, although each export has a store of its own. */
@Timeout(60)
class NestedStoresTest {
    private static final FileName DIRECTORY = FileName.of("d");
    private static final FileName AWAY = FileName.of("away");
    private static final long DURATION_NANOS = 3_000_000_000L;

    @TempDir
    Path temporary;

    private volatile boolean over;

    @Test
    void changesOfNamesInOneStoreLeadNoOperationOfTheOtherOutside() throws Exception {
        Path canary = Files.createDirectory(temporary.resolve("canary"));
        Path untouched = Files.createFile(
                canary.resolve("f"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Path outside = Files.createDirectory(temporary.resolve("outer"));
        Path inside = Files.createDirectory(outside.resolve("inner"));
        Files.createFile(Files.createDirectory(inside.resolve("d")).resolve("f"));
        StoreOpener opener = StoreKind.NIO.opener(2);
        try (Store outer = opener.open(outside, true);
                Store inner = opener.open(inside, true)) {
            ExecutorService clients = Executors.newCachedThreadPool();
            List<Future<?>> changing = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                changing.add(clients.submit(() -> changeMode(outer)));
            }
            byte[] target = canary.toString().getBytes(StandardCharsets.UTF_8);
            long end = System.nanoTime() + DURATION_NANOS;
            while (System.nanoTime() < end) {
                swap(inner, target);
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(untouched)))
                        .isEqualTo("rw-------");
            }
            over = true;
            for (Future<?> each : changing) {
                each.get();
            }
            clients.shutdown();
        }
    }

    private static FileId find(Store store, String... names) throws IOException {
        FileId found = store.root().id();
        for (String name : names) {
            found = store.lookup(Caller.NOBODY, found, FileName.of(name)).id();
        }
        return found;
    }

    /** Replaces the directory by a link that leads outside, and puts it back. */
    private static void swap(Store store, byte[] target) throws IOException {
        FileId root = store.root().id();
        store.rename(Caller.NOBODY, root, DIRECTORY, root, AWAY);
        store.makeSymbolicLink(Caller.NOBODY, root, DIRECTORY, target, AttributeChange.NONE);
        store.remove(Caller.NOBODY, root, DIRECTORY);
        store.rename(Caller.NOBODY, root, AWAY, root, DIRECTORY);
    }

    private Void changeMode(Store store) throws IOException {
        while (!over) {
            try {
                FileId file = find(store, "inner", "d", "f");
                store.setAttributes(Caller.NOBODY, file, AttributeChange.NONE.withMode(0644), Optional.empty());
            } catch (StoreException gone) {
                // The directory is away at the moment.
            }
        }
        return null;
    }
}
