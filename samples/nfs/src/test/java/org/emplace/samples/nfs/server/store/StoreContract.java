// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every store that can be written to has to pass. A store's test extends this class and says where its files are. What the store
 * cannot do, by its {@link StoreLimits} or by the fixture's features, has to fail as the protocol says; no test is left out.
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
