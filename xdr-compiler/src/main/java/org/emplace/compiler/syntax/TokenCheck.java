// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.Token;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.diagnostic.Extension;

/** Checks a file's tokens before they are parsed. */
record TokenCheck(Positions positions, Diagnostics diagnostics) {

    /** Deeper than any real nesting. The parser's stack suffices up to here. */
    private static final int DEEPEST = 100;

    /** A comment that begins like a clause but for blanks or marks of comments, or a line of one. */
    private static final Pattern LIKE_CLAUSE = Pattern.compile("(?im)^(?:/[*/]+|\\s*\\*+)?\\s*@\\s*ddp\\b");

    private static final Set<String> OPERATORS = Set.of("+", "-", "|", "&", "/", "~", "^");

    /** Reports errors. Returns false if parsing makes no sense. */
    boolean passes(CommonTokenStream tokens) {
        tokens.fill();
        int depth = 0;
        for (Token token : tokens.getTokens()) {
            switch (token.getType()) {
                case XdrLexer.UNKNOWN -> {
                    diagnostics.report(positions
                            .at(
                                    token,
                                    Diagnostic.error(
                                            "E103",
                                            positions.span(token),
                                            "unexpected character " + TokenWording.character(token.getText())))
                            .hint(hint(token)));
                    return false;
                }
                case XdrLexer.PERCENT, XdrLexer.HASH -> elsewhere(token);
                case XdrLexer.COMMENT -> comment(token);
                case XdrLexer.ANNOTATION -> likeClause(token);
                case XdrLexer.OPENING_BRACE -> depth++;
                case XdrLexer.CLOSING_BRACE -> depth--;
                default -> {}
            }
            if (depth > DEEPEST) {
                diagnostics.report(Diagnostic.error(
                        "E105", positions.span(token), "braces nest deeper than " + DEEPEST + " levels"));
                return false;
            }
        }
        return true;
    }

    private Optional<String> hint(Token unknown) {
        return DocumentHint.of(positions.text().text())
                .or(() -> OPERATORS.contains(unknown.getText())
                        ? Optional.of("XDR has no expressions: write the number")
                        : unknown.getText().equals(".")
                                ? Optional.of("names consist of letters, digits and `_`")
                                : Optional.empty());
    }

    private void likeClause(Token token) {
        diagnostics.report(Diagnostic.warning(
                        "W110", positions.span(token), "this comment looks like a binding clause, but is not one")
                .hint("binding clauses begin with /*@ddp"));
    }

    private void comment(Token token) {
        if (LIKE_CLAUSE.matcher(token.getText()).find()) {
            likeClause(token);
        }
        if (token.getText().startsWith("//")) {
            diagnostics.report(Extension.LINE_COMMENT.at(
                    positions.span(token), "comments that begin with `//` are not part of XDR"));
        }
    }

    private void elsewhere(Token token) {
        String where = token.getType() == XdrLexer.PERCENT ? "in the first column" : "first on its line";
        diagnostics.report(Diagnostic.error(
                "E107", positions.span(token), "`" + token.getText().charAt(0) + "` must be " + where));
    }
}
