// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.Optional;
import java.util.Set;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.Token;
import org.emplace.compiler.diagnostic.Spelling;

/** Advice for a syntax error, for those who expect XDR to be as C, Java or Protocol Buffers. */
record SyntaxHints(Positions positions, ErrorPlace place) {

    private static final Set<String> AFTER_NAMES = Set.of(";", ",", "[", "<", "=", "(", "{", ")", ":");

    /** The words that a type consists of. */
    private static final Set<String> TYPES =
            Set.of("unsigned", "int", "hyper", "long", "struct", "union", "enum", "string", "opaque");

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

    /** Advice for a keyword where a name is expected: it is the name that is meant only if something follows that may follow a name. */
    private Optional<String> keyword() {
        if (!place.isKeyword() || !place.expected().contains(XdrParser.IDENTIFIER)) {
            return Optional.empty();
        } else if (AFTER_NAMES.contains(place.after(1))) {
            return Optional.of("`" + place.text() + "` is a keyword, which cannot be a name");
        }
        return Spelling.hint(place.before(1), TYPES);
    }
}
