// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.lang.model.SourceVersion;

/**
 * The input of the compiler.
 *
 * @param sources the {@code .x} files, including imported ones; if {@code NAME.ulb} exists beside {@code NAME.x}, it is read too
 * @param packageName the package of the generated Java sources
 * @param options how to read the files
 */
public record CompileRequest(List<Source> sources, String packageName, SourceOptions options) {

    public CompileRequest {
        sources = List.copyOf(sources);
    }

    /** A request with default options. */
    public CompileRequest(List<Source> sources, String packageName) {
        this(sources, packageName, SourceOptions.DEFAULT);
    }

    /**
     * A file.
     *
     * @param path where it is
     * @param name its name in diagnostics and generated sources; it must be the same on every machine if output is to be the same
     * @param importedPackage the package of the existing classes for the file's definitions, if it is imported: nothing is generated from it, and
     *     other files may use its types
     */
    public record Source(Path path, String name, Optional<String> importedPackage) {

        /** A file to generate classes from. */
        public Source(Path path, String name) {
            this(path, name, Optional.empty());
        }

        /**
         * A file to import, in the form that users write: {@code PACKAGE=FILE}.
         *
         * @param source makes a source of FILE
         * @return empty if there is no {@code =}
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

        /** The sidecar beside it, which need not exist. */
        public Source sidecar() {
            String file = path.getFileName().toString();
            return new Source(path.resolveSibling(sidecar(file)), sidecar(name), importedPackage);
        }

        private static String sidecar(String name) {
            return (name.endsWith(".x") ? name.substring(0, name.length() - 2) : name) + ".ulb";
        }
    }
}
