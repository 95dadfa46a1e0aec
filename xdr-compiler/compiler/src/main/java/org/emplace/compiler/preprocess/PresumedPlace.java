// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.preprocess;

import org.emplace.compiler.source.Span;

/**
 * The file and line numbers to report from a line on: the real ones, or those of a line marker.
 *
 * @param file the name to report
 * @param shift added to the number of a line
 */
record PresumedPlace(String file, int shift) {

    Span span(Lexeme lexeme) {
        return span(lexeme.line(), lexeme.column(), lexeme.text().length());
    }

    Span span(int line, int column, int length) {
        return new Span(file, line + shift, column, length);
    }
}
