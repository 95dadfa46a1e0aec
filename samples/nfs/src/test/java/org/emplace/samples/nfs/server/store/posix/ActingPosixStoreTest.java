// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.emplace.samples.nfs.server.store.StoreContract;
import org.emplace.samples.nfs.server.store.StoreFixture;

/** The contract, with all operations by an ordinary user, if the process may act as one. */
class ActingPosixStoreTest extends StoreContract {
    @Override
    protected StoreFixture fixture() throws IOException {
        Path directory = Files.createDirectory(temporary.resolve("export"));
        PosixOptions options = PosixFixture.OPTIONS.withCallersAct(true);
        try (PosixStore store = PosixStore.open(directory, options)) {
            if (store.limits().actsAsCaller()) {
                Files.setAttribute(directory, "unix:gid", 1234);
                Files.setAttribute(directory, "unix:uid", 1234);
            }
        }
        return new PosixFixture(directory, options);
    }
}
