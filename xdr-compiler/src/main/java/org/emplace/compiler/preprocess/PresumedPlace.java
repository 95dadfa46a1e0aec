// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.preprocess;

import org.emplace.compiler.source.Span;

/**
 * What the lines of a file are called from some line on: by their own number, or as a line marker of an earlier preprocessor says.
 *
 * @param file the name to call it by
 * @param shift to be added to the number of a line
 */
record PresumedPlace(String file, int shift) {

    Span span(Lexeme lexeme) {
        return span(lexeme.line(), lexeme.column(), lexeme.text().length());
    }

    Span span(int line, int column, int length) {
        return new Span(file, line + shift, column, length);
    }
}
