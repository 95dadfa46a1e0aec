// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.preprocess;

import java.util.List;
import java.util.stream.Collectors;
import org.emplace.compiler.source.Span;

/**
 * A macro.
 *
 * @param isFunctionLike whether it has parameters; such a macro is recorded, but not expanded
 * @param defined where; a macro of the command line is in a file of that name
 */
record Macro(String name, boolean isFunctionLike, List<Lexeme> body, Span defined) {

    Macro {
        body = List.copyOf(body);
    }

    /** The replacement as text. Two definitions are the same if their texts are. */
    String text() {
        return body.stream().map(Lexeme::text).collect(Collectors.joining());
    }
}
