// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.lang.model.SourceVersion;

/**
 * What to compile.
 *
 * @param sources the {@code .x} files, imported ones among them; beside {@code NAME.x}, {@code NAME.ulb} is read if it is there
 * @param packageName of the generated Java sources
 * @param options how to read the files
 */
public record CompileRequest(List<Source> sources, String packageName, SourceOptions options) {

    public CompileRequest {
        sources = List.copyOf(sources);
    }

    /** A request with the usual options. */
    public CompileRequest(List<Source> sources, String packageName) {
        this(sources, packageName, SourceOptions.DEFAULT);
    }

    /**
     * One file.
     *
     * @param path where it is
     * @param name what diagnostics and generated sources call it; the same on every machine if output is to be the same
     * @param importedPackage where the classes of what the file defines are, if they were generated before: nothing is generated from such a
     *     file, whose types the other files may use
     */
    public record Source(Path path, String name, Optional<String> importedPackage) {

        /** A file to generate from. */
        public Source(Path path, String name) {
            this(path, name, Optional.empty());
        }

        /**
         * A file to import, as users write it: {@code PACKAGE=FILE}.
         *
         * @param source makes a source of FILE
         * @return empty for what has no {@code =}
         * @throws IllegalArgumentException if PACKAGE is not a Java package name
         */
        public static Optional<Source> imported(String written, Function<String, Source> source) {
            int equals = written.indexOf('=');
            if (equals < 0) {
                return Optional.empty();
            }
            String packageName = written.substring(0, equals);
            if (!SourceVersion.isName(packageName)) {
                throw new IllegalArgumentException("`" + packageName + "` is not a Java package name");
            }
            Source file = source.apply(written.substring(equals + 1));
            return Optional.of(new Source(file.path, file.name, Optional.of(packageName)));
        }

        /** The sidecar that may stand beside it. */
        public Source sidecar() {
            String file = path.getFileName().toString();
            return new Source(path.resolveSibling(sidecar(file)), sidecar(name), importedPackage);
        }

        private static String sidecar(String name) {
            return (name.endsWith(".x") ? name.substring(0, name.length() - 2) : name) + ".ulb";
        }
    }
}
