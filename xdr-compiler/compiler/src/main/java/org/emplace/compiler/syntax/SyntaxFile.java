// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.List;
import org.emplace.compiler.preprocess.LinesForC;

/**
 * The content of an XDR file and all files that it includes.
 *
 * @param linesForC what the files define only for C
 */
public record SyntaxFile(String file, List<Written> written, LinesForC linesForC) {

    public SyntaxFile {
        written = List.copyOf(written);
    }

    /**
     * A definition with its text.
     *
     * @param text its words without blanks and comments; equal texts are repetitions
     */
    public record Written(Definition definition, String text) {}

    /** The name that it defines. */
    public List<Definition> definitions() {
        return written.stream().map(Written::definition).toList();
    }
}
