// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import java.nio.file.Files;
import org.emplace.samples.nfs.server.store.StoreContract;
import org.emplace.samples.nfs.server.store.StoreFixture;

/** The contract, with files found as the process may: by the kernel's handles if it runs as root. */
class PosixStoreTest extends StoreContract {
    @Override
    protected StoreFixture fixture() throws IOException {
        return new PosixFixture(Files.createDirectory(temporary.resolve("export")), PosixFixture.OPTIONS);
    }
}
