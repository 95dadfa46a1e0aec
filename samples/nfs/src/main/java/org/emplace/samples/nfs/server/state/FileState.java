// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.util.LinkedHashSet;
import java.util.Set;

/** A file that is open, with all its opens. */
final class FileState {
    final FileKey key;
    final Set<OpenState> opens = new LinkedHashSet<>();

    FileState(FileKey key) {
        this.key = key;
    }
}
