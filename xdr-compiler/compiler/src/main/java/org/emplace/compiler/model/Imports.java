// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.model;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.emplace.compiler.source.Span;

/**
 * The imported files. The classes of their definitions were generated elsewhere.
 *
 * @param packages the packages of these classes, by the names of the files, including sidecars
 */
public record Imports(Map<String, String> packages) {

    /** No imports. */
    public static final Imports NONE = new Imports(Map.of());

    public Imports {
        packages = Map.copyOf(packages);
    }

    /** The package of a file's classes; empty if the file is not imported. */
    public Optional<String> packageOf(String file) {
        return Optional.ofNullable(packages.get(file));
    }

    /** Whether the definition at a position is imported. */
    public boolean has(Span origin) {
        return packages.containsKey(origin.file());
    }

    /** These imports and further files of a package. A file that is already imported keeps its package. */
    public Imports and(Iterable<String> files, String packageName) {
        Map<String, String> more = new TreeMap<>(packages);
        files.forEach(file -> more.putIfAbsent(file, packageName));
        return new Imports(more);
    }
}
