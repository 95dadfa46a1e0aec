// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.preprocess;

import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import org.emplace.compiler.source.SourceFile;

/** Finds included files. */
public interface Includes {

    /**
     * Finds a file.
     *
     * @param written the text between the quotes or angle brackets
     * @param isQuoted whether to look beside the including file first
     * @param includer the name of the including file
     * @return empty if the file does not exist
     * @throws IOException if the file exists but cannot be read
     */
    Optional<SourceFile> find(String written, boolean isQuoted, String includer) throws IOException;

    /** Finds the given files by their names. */
    static Includes among(Collection<SourceFile> files) {
        return (written, isQuoted, includer) -> {
            String name = isQuoted ? beside(includer, written) : written;
            return files.stream().filter(file -> file.name().equals(name)).findFirst();
        };
    }

    /** The name of a file beside another one. The separator is {@code /}, or {@code \} if the other file's name has it. */
    static String beside(String includer, String written) {
        int folder = Math.max(includer.lastIndexOf('/'), includer.lastIndexOf('\\'));
        return includer.substring(0, folder + 1) + written;
    }
}
