// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.emplace.samples.nfs.protocol.Cookieverf3;
import org.emplace.samples.nfs.protocol.Readdir3Args;
import org.emplace.samples.nfs.protocol.Readdir3Res;
import org.emplace.samples.nfs.protocol.Readdirplus3Args;
import org.emplace.samples.nfs.protocol.Readdirplus3Res;
import org.emplace.samples.nfs.server.export.StoreOpener;
import org.emplace.samples.nfs.server.store.Store;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The calls of the store that a listing makes. */
final class ListingCostTest {
    private static final Cookieverf3 START = Cookieverf3.of(new byte[8]);

    @TempDir
    private Path temporary;

    /** For each listing, whether it requested the files too. */
    private final List<Boolean> withFiles = new CopyOnWriteArrayList<>();

    @Test
    void onlyReaddirplusLooksAtTheFiles() throws Exception {
        try (Served served = new Served(temporary, this::recorded)) {
            served.create("file");

            assertThat(served.nfs.readdir(new Readdir3Args(served.root(), 0, START, 8192)))
                    .isInstanceOf(Readdir3Res.Nfs3Ok.class);
            assertThat(withFiles).containsExactly(false);

            assertThat(served.nfs.readdirplus(new Readdirplus3Args(served.root(), 0, START, 8192, 8192)))
                    .isInstanceOf(Readdirplus3Res.Nfs3Ok.class);
            assertThat(withFiles).containsExactly(false, true);
        }
    }

    private Store recorded(Path directory, boolean deferred) throws IOException {
        StoreOpener real = StoreKind.NIO.opener(1);
        Store store = real.open(directory, deferred);
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("list")) {
                        withFiles.add((Boolean) arguments[4]);
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }
}
