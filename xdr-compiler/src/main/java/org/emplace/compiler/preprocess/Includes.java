// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.preprocess;

import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import org.emplace.compiler.source.SourceFile;

/** Finds the files that others include. */
public interface Includes {

    /**
     * Looks for a file.
     *
     * @param written what stands between the quotes or angle brackets
     * @param isQuoted whether it is looked for beside the file that includes it first
     * @param includer the name of that file
     * @return empty if there is no such file
     * @throws IOException if there is one, which cannot be read
     */
    Optional<SourceFile> find(String written, boolean isQuoted, String includer) throws IOException;

    /** Finds those that are given, by their names. */
    static Includes among(Collection<SourceFile> files) {
        return (written, isQuoted, includer) -> {
            String name = isQuoted ? beside(includer, written) : written;
            return files.stream().filter(file -> file.name().equals(name)).findFirst();
        };
    }

    /** The name of a file that stands where another one's name says, with {@code /} or, where that one has it, {@code \}. */
    static String beside(String includer, String written) {
        int folder = Math.max(includer.lastIndexOf('/'), includer.lastIndexOf('\\'));
        return includer.substring(0, folder + 1) + written;
    }
}
