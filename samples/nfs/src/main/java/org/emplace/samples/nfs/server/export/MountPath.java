// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.util.List;
import org.emplace.samples.nfs.server.store.FileName;

/**
 * What a path to be mounted leads to.
 *
 * @param below names from the export's own directory on
 */
public record MountPath(Export export, List<FileName> below) {
    /** Copies the names. */
    public MountPath {
        below = List.copyOf(below);
    }
}
