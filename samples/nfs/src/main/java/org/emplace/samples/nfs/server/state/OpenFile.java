// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.util.LinkedHashSet;
import java.util.Set;

/** A file that is open, with all its opens. */
final class OpenFile {
    final FileKey key;
    final Set<OpenState> opens = new LinkedHashSet<>();

    OpenFile(FileKey key) {
        this.key = key;
    }
}
