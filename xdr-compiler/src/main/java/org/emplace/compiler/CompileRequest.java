// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import java.nio.file.Path;
import java.util.List;

/**
 * What to compile.
 *
 * @param sources the {@code .x} files; beside {@code NAME.x}, {@code NAME.ulb} is read if it is there
 * @param packageName of the generated Java sources
 * @param options how to read the files
 */
public record CompileRequest(List<Source> sources, String packageName, SourceOptions options) {

    public CompileRequest {
        sources = List.copyOf(sources);
    }

    /** A request with the usual options. */
    public CompileRequest(List<Source> sources, String packageName) {
        this(sources, packageName, SourceOptions.USUAL);
    }

    /**
     * One file.
     *
     * @param path where it is
     * @param name what diagnostics and generated sources call it; the same on every machine if output is to be the same
     */
    public record Source(Path path, String name) {}
}
