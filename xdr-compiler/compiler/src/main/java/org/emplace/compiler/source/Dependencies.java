// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.source;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The files that the result of a run depends on. With the same options, it changes only if one of these files does. Paths are absolute and
 * normalized.
 *
 * @param read files that were read
 * @param absent places where no file was found; a file that appears there may change the result
 */
public record Dependencies(Set<Path> read, Set<Path> absent) {

    public Dependencies {
        read = Collections.unmodifiableSet(new LinkedHashSet<>(read));
        absent = Collections.unmodifiableSet(new LinkedHashSet<>(absent));
    }
}
