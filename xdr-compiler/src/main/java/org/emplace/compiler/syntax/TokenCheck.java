// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.List;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.Token;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;

/** What can be said of a file's tokens before they are parsed. */
record TokenCheck(Positions positions, Diagnostics diagnostics) {

    /** Deeper nesting than anyone writes; the parser's stack is safe up to here. */
    private static final int DEEPEST = 100;

    /** Reports; false if parsing makes no sense. */
    boolean passes(CommonTokenStream tokens) {
        tokens.fill();
        int depth = 0;
        for (Token token : tokens.getTokens()) {
            switch (token.getType()) {
                case XdrLexer.UNKNOWN -> {
                    unknown(token, tokens.getTokens());
                    return false;
                }
                case XdrLexer.DIRECTIVE ->
                    diagnostics.report(
                            Diagnostic.error("E106", positions.span(token), "preprocessor lines are not understood")
                                    .hint("give the output of a preprocessor, without its line markers"));
                case XdrLexer.PERCENT_LINE -> percentLine(token);
                case XdrLexer.ANNOTATION ->
                    diagnostics.report(Diagnostic.warning(
                                    "W110",
                                    positions.span(token),
                                    "this comment looks like a binding clause, but is not one")
                            .hint("binding clauses begin with /*@ddp"));
                default -> depth += nesting(token.getText());
            }
            if (depth > DEEPEST) {
                diagnostics.report(Diagnostic.error(
                        "E105", positions.span(token), "braces nest deeper than " + DEEPEST + " levels"));
                return false;
            }
        }
        return true;
    }

    private static int nesting(String text) {
        return text.equals("{") ? 1 : text.equals("}") ? -1 : 0;
    }

    private void percentLine(Token token) {
        if (token.getCharPositionInLine() != 0) {
            diagnostics.report(
                    Diagnostic.error("E107", positions.span(token), "`%` stands elsewhere than in the first column"));
        }
    }

    private void unknown(Token token, List<Token> tokens) {
        Token next = tokens.get(token.getTokenIndex() + 1);
        if (token.getText().equals("/") && next.getText().equals("*")) {
            diagnostics.report(Diagnostic.error("E102", positions.span(token), "this comment has no end"));
        } else {
            diagnostics.report(Diagnostic.error(
                    "E103", positions.span(token), "unexpected character " + Wording.character(token.getText())));
        }
    }
}
