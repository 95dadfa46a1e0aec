// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.Token;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.diagnostic.Extension;

/** Checks a file's tokens before they are parsed. */
record TokenCheck(Positions positions, Diagnostics diagnostics) {

    /** Deeper than any real nesting. The parser's stack suffices up to here. */
    private static final int DEEPEST = 100;

    /**
     * A comment that begins like a clause but for blanks or marks of comments, or a line of one; a clause behind other text, or without the mark of
     * clauses.
     */
    private static final Pattern LIKE_CLAUSE =
            Pattern.compile("(?im)^(?:/[*/]+|\\s*\\*+)?[*!<@\\s-]*@\\s*ddp\\b|@\\s*ddp\\s*:?\\s*(?:CLAUSE)\\b"
                    .concat("|^/[*/]+\\s*(?:@|ddp\\b\\s*:?)\\s*(?:CLAUSE)\\b|^/[*/]+\\s*eligible\\s*(?:[;*]|$)")
                    .replace("CLAUSE", String.join("|", ClauseErrors.CLAUSES)));

    private static final Set<String> OPERATORS = Set.of("+", "|", "&", "~", "^");

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
                            .hint(hint(token, tokens)));
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

    private Optional<String> hint(Token unknown, CommonTokenStream tokens) {
        int at = unknown.getTokenIndex();
        Token before = tokens.get(Math.max(0, at - 1));
        Token after = tokens.get(Math.min(tokens.size() - 1, at + 1));
        boolean joinsNames = before.getType() == XdrLexer.IDENTIFIER && after.getType() == XdrLexer.IDENTIFIER;
        return DocumentHint.of(positions.text().text()).or(() -> switch (unknown.getText()) {
            case "." -> ofPoint(before, after, joinsNames, line(tokens, at));
            case "/" ->
                Optional.of(
                        before.getText().equals("*")
                                ? "comments do not nest: they end at the first */"
                                : "XDR has no expressions: write the number");
            case "-" ->
                Optional.of(
                        joinsNames
                                ? "names consist of letters, digits and `_`"
                                : "XDR has no expressions: write the number");
            case "@" -> Optional.of("XDR has no annotations; binding clauses are written /*@ddp ... */");
            case "?" -> Optional.of("write TYPE *NAME for a value that may be absent");
            default ->
                OPERATORS.contains(unknown.getText())
                        ? Optional.of("XDR has no expressions: write the number")
                        : Optional.empty();
        });
    }

    private static Optional<String> ofPoint(Token before, Token after, boolean joinsNames, String line) {
        if (line.startsWith("import ")) {
            return Optional.of("write #include for definitions of another file, or compile both files together");
        } else if (line.startsWith("case ") && joinsNames) {
            return Optional.of("write " + after.getText() + ": all names share one scope");
        } else if (before.getType() == XdrLexer.NUMBER && after.getType() == XdrLexer.NUMBER) {
            return Optional.of("XDR has whole numbers only");
        } else if (line.startsWith("case ") && after.getText().equals(".")) {
            return Optional.of("XDR has no ranges: write case 1: case 2: ...");
        }
        return Optional.of("names consist of letters, digits and `_`");
    }

    /** The text from the first token of the statement before a token on. */
    private static String line(CommonTokenStream tokens, int at) {
        int first = at;
        while (first > 0
                && !Set.of(";", "{", "}", ":").contains(tokens.get(first - 1).getText())) {
            first--;
        }
        return tokens.getTokens().subList(first, at).stream()
                .map(Token::getText)
                .collect(Collectors.joining())
                .strip();
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
