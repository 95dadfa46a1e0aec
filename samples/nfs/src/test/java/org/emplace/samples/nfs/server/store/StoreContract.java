// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.io.IOException;
import java.nio.file.Path;
import org.emplace.samples.nfs.server.store.Store.Limits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract of every writable store. A store's test extends this class and provides its fixture. Operations that the store does not support, by
 * its {@link Limits} or by the fixture's features, must fail as the protocol requires; no test is omitted.
 */
public abstract class StoreContract
        implements NamesContract,
                RenamesContract,
                CreationContract,
                LinksContract,
                ContentsContract,
                AttributesContract,
                ListingsContract,
                ConcurrencyContract {
    @TempDir
    protected Path temporary;

    private TestedStore tested;

    /** An empty directory for a store. */
    protected abstract StoreFixture fixture() throws IOException;

    @BeforeEach
    void openStore() throws IOException {
        tested = new TestedStore(fixture());
    }

    @AfterEach
    void closeStore() throws IOException {
        tested.close();
    }

    @Override
    public final TestedStore tested() {
        return tested;
    }
}
