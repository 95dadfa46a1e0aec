// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.preprocess;

import java.util.List;
import java.util.stream.Collectors;
import org.emplace.compiler.source.Span;

/**
 * A name for a text.
 *
 * @param isFunctionLike whether it takes parameters; such a one is known but cannot be used
 * @param defined where; for what the user defines outside of files, a file of that name
 */
record Macro(String name, boolean isFunctionLike, List<Lexeme> body, Span defined) {

    Macro {
        body = List.copyOf(body);
    }

    /** Its replacement, by which definitions are distinguished. */
    String text() {
        return body.stream().map(Lexeme::text).collect(Collectors.joining());
    }
}
