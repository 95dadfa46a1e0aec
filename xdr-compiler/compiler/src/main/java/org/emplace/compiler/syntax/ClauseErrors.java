// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.List;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.diagnostic.Spelling;
import org.jspecify.annotations.Nullable;

/**
 * Reports the first error of ANTLR in a clause or in the head of an entry, in the terms of the binding language. Further errors there are
 * consequences of the first.
 */
final class ClauseErrors extends BaseErrorListener {

    /** The words that clauses begin with. */
    static final List<String> CLAUSES = List.of(
            "eligible",
            "size",
            "reply-size",
            "read-chunks",
            "write-chunks",
            "operations",
            "idempotent",
            "port",
            "netid",
            "inline-threshold",
            "max-message",
            "violation",
            "direction",
            "name",
            "prefix",
            "open",
            "value",
            "bits");

    private final Positions positions;
    private final Diagnostics diagnostics;

    ClauseErrors(Positions positions, Diagnostics diagnostics) {
        this.positions = positions;
        this.diagnostics = diagnostics;
    }

    @Override
    public void syntaxError(
            Recognizer<?, ?> recognizer,
            Object offendingSymbol,
            int line,
            int charPositionInLine,
            String antlrMessage,
            @Nullable RecognitionException cause) {
        Parser parser = (Parser) recognizer;
        if (parser.getNumberOfSyntaxErrors() > 1) {
            return;
        }
        Token offending = (Token) offendingSymbol;
        int rule = parser.getContext().getRuleIndex();
        Token before = parser.getTokenStream().LT(-1);
        if (before == null && rule != UlbParser.RULE_head && isWord(offending)) {
            diagnostics.report(Diagnostic.error(
                            "E302", positions.span(offending), "there is no clause " + TokenWording.found(offending))
                    .hint(Spelling.hint(offending.getText(), CLAUSES)
                            .orElse("clauses are " + String.join(", ", CLAUSES))));
            return;
        }
        boolean clauseEnded = before != null && rule == UlbParser.RULE_single;
        String expected = clauseEnded ? "`;`" : TokenWording.expected(parser.getExpectedTokens(), parser, phrase(rule));
        diagnostics.report(Diagnostic.error(
                "E303",
                positions.span(offending),
                "expected " + expected + ", found " + TokenWording.found(offending)));
    }

    private static boolean isWord(Token token) {
        return token.getType() == UlbLexer.WORD || token.getType() == UlbLexer.UNKNOWN_WORD;
    }

    private static String phrase(int rule) {
        return switch (rule) {
            case UlbParser.RULE_head -> "`item`, `procedure`, `version`, `type` or `constant`";
            case UlbParser.RULE_expression, UlbParser.RULE_value -> "a number, a constant's name or `args`";
            case UlbParser.RULE_word, UlbParser.RULE_path, UlbParser.RULE_sizePath, UlbParser.RULE_step -> "a name";
            default -> "a clause";
        };
    }
}
