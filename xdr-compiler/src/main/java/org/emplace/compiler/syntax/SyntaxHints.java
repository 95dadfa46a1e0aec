// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.Optional;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.Token;

/** Advice for a syntax error, for those who expect XDR to be as C, Java or Protocol Buffers. */
record SyntaxHints(Positions positions, ErrorPlace place) {

    static SyntaxHints of(Positions positions, Parser parser, Token offending) {
        boolean isInMacro = positions.replacement(offending).isPresent();
        return new SyntaxHints(positions, new ErrorPlace(parser, offending, isInMacro));
    }

    /** The advice, if there is some. */
    Optional<String> hint() {
        return DocumentHint.of(positions.text().text())
                .or(() -> new DeclarationHints(place).hint())
                .or(() -> new DefinitionHints(place).hint())
                .or(this::keyword);
    }

    private Optional<String> keyword() {
        return place.isKeyword() && place.expected().contains(XdrParser.IDENTIFIER)
                ? Optional.of("`" + place.text() + "` is a keyword, which cannot be a name")
                : Optional.empty();
    }
}
