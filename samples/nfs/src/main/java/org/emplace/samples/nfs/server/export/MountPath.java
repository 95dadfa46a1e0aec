// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.util.List;
import org.emplace.samples.nfs.server.store.FileName;

/**
 * The export that holds a path to mount, and the rest of the path.
 *
 * @param below the names below the export's directory
 */
public record MountPath(Export export, List<FileName> below) {
    /** Copies the names. */
    public MountPath {
        below = List.copyOf(below);
    }
}
