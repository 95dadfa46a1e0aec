// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.emplace.samples.nfs.protocol.Cookieverf3;
import org.emplace.samples.nfs.protocol.Getattr3Args;
import org.emplace.samples.nfs.protocol.Getattr3Res;
import org.emplace.samples.nfs.protocol.Mountstat3;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Readdir3Args;
import org.emplace.samples.nfs.protocol.Readdir3Res;
import org.emplace.samples.nfs.protocol.Readdirplus3Args;
import org.emplace.samples.nfs.protocol.Readdirplus3Res;
import org.emplace.samples.nfs.server.export.Exports.StoreOpener;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.xdr.XdrString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The calls of the store that procedures make. */
final class CallCostTest {
    private static final Cookieverf3 START = Cookieverf3.of(new byte[8]);

    @TempDir
    private Path temporary;

    /** The operations, with {@code true} or {@code false} for a listing that requested the files too, or did not. */
    private final List<String> operations = new CopyOnWriteArrayList<>();

    @Test
    void onlyReaddirplusLooksAtTheFiles() throws Exception {
        try (Served served = new Served(temporary, this::recorded)) {
            served.create("file");

            assertThat(served.nfs.readdir(new Readdir3Args(served.root(), 0, START, 8192)))
                    .isInstanceOf(Readdir3Res.Nfs3Ok.class);
            assertThat(listings()).containsExactly("list false");

            assertThat(served.nfs.readdirplus(new Readdirplus3Args(served.root(), 0, START, 8192, 8192)))
                    .isInstanceOf(Readdirplus3Res.Nfs3Ok.class);
            assertThat(listings()).containsExactly("list false", "list true");
        }
    }

    private List<String> listings() {
        return operations.stream()
                .filter(operation -> operation.startsWith("list "))
                .toList();
    }

    @Test
    void mountingTakesOneLookupForEachNameAndAHandleNone() throws Exception {
        try (Served served = new Served(temporary, this::recorded)) {
            Files.createDirectories(served.directory.resolve("a/b/c/d"));
            operations.clear();

            NfsFh3 deep = served.mounted(served.directory + "/a/b/c/d");
            assertThat(operations).containsExactly("root", "lookup", "lookup", "lookup", "lookup");

            operations.clear();
            assertThat(served.nfs.getattr(new Getattr3Args(deep))).isInstanceOf(Getattr3Res.Nfs3Ok.class);
            assertThat(operations).containsExactly("file");
        }
    }

    @Test
    void aPathToMountOfManyNamesIsNotLookedUp() throws Exception {
        try (Served served = new Served(temporary, this::recorded)) {
            operations.clear();
            assertThat(served.mount
                            .mnt(XdrString.of(served.directory + "/a".repeat(129)))
                            .fhsStatus())
                    .isEqualTo(Mountstat3.MNT3ERR_NAMETOOLONG);
            assertThat(operations).isEmpty();
        }
    }

    private Store recorded(Path directory, boolean deferred) throws IOException {
        StoreOpener real = StoreKind.NIO.opener(1);
        Store store = real.open(directory, deferred);
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    operations.add(method.getName() + (method.getName().equals("list") ? " " + arguments[4] : ""));
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }
}
