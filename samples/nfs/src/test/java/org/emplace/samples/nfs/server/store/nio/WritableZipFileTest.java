// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import java.util.Map;

/** Like {@link ZipFileTest}, with a file system that could be written to. */
final class WritableZipFileTest extends ZipFileTest {
    @Override
    Map<String, String> access() {
        return Map.of();
    }
}
