// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.List;
import java.util.Map;
import org.emplace.compiler.preprocess.PreprocessedText;

/**
 * What one XDR file says, with all that it includes.
 *
 * @param constantsOfC numbers that only C code would know by their names
 */
public record SyntaxFile(String file, List<Written> written, Map<String, PreprocessedText.Constant> constantsOfC) {

    public SyntaxFile {
        written = List.copyOf(written);
    }

    /**
     * A definition as it is written.
     *
     * @param text its words without blanks and comments, by which a repetition is known
     */
    public record Written(Definition definition, String text) {}

    /** What it defines. */
    public List<Definition> definitions() {
        return written.stream().map(Written::definition).toList();
    }
}
