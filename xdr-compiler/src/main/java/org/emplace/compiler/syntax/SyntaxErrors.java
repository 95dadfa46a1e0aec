// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.NoViableAltException;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.source.Span;
import org.jspecify.annotations.Nullable;

/** Reports ANTLR's errors in an XDR file in the terms of the language. */
final class SyntaxErrors extends BaseErrorListener {

    private final List<Token> misplacedClauses = new ArrayList<>();
    private final Positions positions;
    private final Diagnostics diagnostics;
    private final Diagnostics ofClauses;

    SyntaxErrors(Positions positions, Diagnostics diagnostics, Diagnostics ofClauses) {
        this.positions = positions;
        this.diagnostics = diagnostics;
        this.ofClauses = ofClauses;
    }

    /** The misplaced clauses that have been reported. */
    List<Token> misplacedClauses() {
        return List.copyOf(misplacedClauses);
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
        Token offending = (Token) offendingSymbol;
        String expected = TokenWording.expected(parser.getExpectedTokens(), parser, phrase(parser));
        Token unfinished = expected.equals("`;`") ? endOfEarlierLine(parser, offending) : null;
        Token clause = misplacedClause(parser, offending, cause);
        if (clause != null && unfinished == null) {
            misplacedClauses.add(clause);
            ofClauses.report(
                    Diagnostic.error("E301", positions.span(clause), "a binding clause is not allowed here")
                            .hint(
                                    "write it directly before a member, an arm's declaration, a procedure, a version, a type, an enumerator or a constant"));
            return;
        }
        String found = offending.getType() == Token.EOF ? "the end of the file" : TokenWording.found(offending);
        Diagnostic diagnostic = Diagnostic.error(
                "E101",
                positions.span(offending),
                expected.isEmpty() ? "unexpected " + found : "expected " + expected + ", found " + found);
        if (isKeyword(offending) && parser.getExpectedTokens().contains(XdrParser.IDENTIFIER)) {
            diagnostic = diagnostic.hint("`" + offending.getText() + "` is a keyword, which cannot be a name");
        }
        diagnostics.report(unfinished == null ? diagnostic : missingBehind(unfinished, diagnostic));
    }

    private static boolean isKeyword(Token token) {
        return token.getType() != XdrParser.IDENTIFIER
                && Character.isLetter(token.getText().charAt(0));
    }

    private static @Nullable Token endOfEarlierLine(Parser parser, Token offending) {
        Token before = parser.getTokenStream().LT(-1);
        return before == null || before.getLine() == offending.getLine() ? null : before;
    }

    /** Reports a missing semicolon at the end of the line that lacks it. */
    private Diagnostic missingBehind(Token unfinished, Diagnostic diagnostic) {
        Span last = positions.span(unfinished);
        return diagnostic.note(
                new Span(last.file(), last.line(), last.column() + last.length(), 1), "the `;` is missing here");
    }

    private static @Nullable Token misplacedClause(
            Parser parser, Token offending, @Nullable RecognitionException cause) {
        if (offending.getType() == XdrLexer.DDP) {
            return offending;
        }
        if (cause instanceof NoViableAltException noAlternative
                && noAlternative.getStartToken().getType() == XdrLexer.DDP) {
            return noAlternative.getStartToken();
        }
        Token before = parser.getTokenStream().LT(-1);
        return before != null && before.getType() == XdrLexer.DDP ? before : null;
    }

    private static String phrase(Parser parser) {
        return switch (parser.getContext().getRuleIndex()) {
            case XdrParser.RULE_file, XdrParser.RULE_item, XdrParser.RULE_definition, XdrParser.RULE_defined ->
                "a definition (const, typedef, enum, struct, union or program)";
            case XdrParser.RULE_structBody, XdrParser.RULE_member, XdrParser.RULE_declaration -> "a declaration";
            case XdrParser.RULE_unionBody, XdrParser.RULE_arm -> "`case`, `default` or a declaration";
            case XdrParser.RULE_type -> "a type";
            case XdrParser.RULE_argument, XdrParser.RULE_result, XdrParser.RULE_procedure -> "a type or `void`";
            case XdrParser.RULE_value -> "a number or a constant's name";
            default -> "";
        };
    }
}
