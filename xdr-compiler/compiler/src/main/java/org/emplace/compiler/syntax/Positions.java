// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.Optional;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.source.LocatedText;
import org.emplace.compiler.source.Span;

/** Converts ANTLR's positions to spans, for a whole text or for a part that begins at a line and column. */
record Positions(LocatedText text, int firstLine, int firstColumn) {

    static Positions of(LocatedText text) {
        return new Positions(text, 1, 1);
    }

    /** The positions inside a token's text. */
    Positions within(Token token) {
        return new Positions(text, token.getLine(), token.getCharPositionInLine() + 1);
    }

    Span span(Token token) {
        int newline = token.getText().indexOf('\n');
        boolean atEnd = token.getType() == Token.EOF;
        int length = atEnd ? 1 : newline < 0 ? token.getText().length() : newline;
        return span(token.getLine(), token.getCharPositionInLine(), length);
    }

    /** A diagnostic about a token. If the token comes from a macro, says so. */
    Diagnostic at(Token token, Diagnostic diagnostic) {
        return replacement(token)
                .map(macro -> diagnostic.note(macro.defined(), "`" + macro.name() + "` is `" + macro.text() + "`"))
                .orElse(diagnostic);
    }

    /** The macro's replacement that a token of the whole text comes from, if it does. */
    Optional<LocatedText.Replacement> replacement(Token token) {
        return text.replacement(token.getLine(), token.getCharPositionInLine() + 1);
    }

    Span span(ParserRuleContext context) {
        Token first = context.getStart();
        Token last = context.getStop();
        if (last == null || last.getLine() != first.getLine() || last == first) {
            return span(first);
        }
        int length = last.getCharPositionInLine() + last.getText().length() - first.getCharPositionInLine();
        return span(first.getLine(), first.getCharPositionInLine(), length);
    }

    private Span span(int line, int charPositionInLine, int length) {
        int column = line == 1 ? firstColumn + charPositionInLine : charPositionInLine + 1;
        return text.span(firstLine + line - 1, column, length);
    }
}
