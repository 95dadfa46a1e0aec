// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.Optional;
import java.util.Set;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.RuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenStream;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.diagnostic.Spelling;
import org.emplace.compiler.source.Span;
import org.jspecify.annotations.Nullable;


/**
 * Reports ANTLR's errors in an XDR file in the terms of the language. Leaves out errors that are consequences of the one before: those before the
 * semicolon that ends what has the error, which is not one in parentheses, and those where the parser has lost its place among the braces.
 */
final class SyntaxErrors extends BaseErrorListener {

    private static final Set<Integer> BODIES = Set.of(
            XdrParser.RULE_namespace,
            XdrParser.RULE_enumBody,
            XdrParser.RULE_structBody,
            XdrParser.RULE_unionBody,
            XdrParser.RULE_program,
            XdrParser.RULE_version);

    private final Positions positions;
    private final Diagnostics diagnostics;
    private int[] depths = {};
    private int last = -1;

    SyntaxErrors(Positions positions, Diagnostics diagnostics) {
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
        Token offending = (Token) offendingSymbol;
        boolean isConsequence = last >= 0 && isConsequence(parser, offending);
        last = offending.getTokenIndex();
        if (isConsequence) {
            return;
        }
        String expected = TokenWording.expected(parser.getExpectedTokens(), parser, phrase(parser));
        Token unfinished = expected.equals("`;`") ? endOfEarlierLine(parser, offending) : null;
        String found = offending.getType() == Token.EOF ? "the end of the file" : TokenWording.found(offending);
        Diagnostic diagnostic = positions.at(
                offending,
                Diagnostic.error(
                        "E101",
                        positions.span(offending),
                        expected.isEmpty() ? "unexpected " + found : "expected " + expected + ", found " + found));
        diagnostic =
                diagnostic.hint(SyntaxHints.of(positions, parser, offending).hint());
        if (offending.getType() == Token.EOF) {
            diagnostic = unclosed(parser.getTokenStream(), diagnostic);
        }
        diagnostics.report(unfinished == null ? diagnostic : missingBehind(unfinished, diagnostic));
    }

    /** Whether nothing has ended since the last error, or the braces open in the text are not those open in the parser. */
    private boolean isConsequence(Parser parser, Token offending) {
        TokenStream tokens = parser.getTokenStream();
        depths = depths.length == 0 ? depths(tokens) : depths;
        boolean hasEnded = false;
        int parentheses = 0;
        for (int i = last; i < offending.getTokenIndex(); i++) {
            String text = tokens.get(i).getText();
            parentheses = Math.max(0, parentheses + (text.equals("(") ? 1 : text.equals(")") ? -1 : 0));
            boolean isOuter = depths[i] <= depths[last] && parentheses == 0;
            hasEnded |= tokens.get(i).getType() == XdrLexer.SEMICOLON && isOuter;
        }
        return !hasEnded || depths[offending.getTokenIndex()] != depth(parser.getContext(), offending);
    }

    /** The braces that are open before each token. */
    private static int[] depths(TokenStream tokens) {
        int[] depths = new int[tokens.size() + 1];
        for (int i = 0; i < tokens.size(); i++) {
            int type = tokens.get(i).getType();
            int change = type == XdrLexer.OPENING_BRACE ? 1 : type == XdrLexer.CLOSING_BRACE ? -1 : 0;
            depths[i + 1] = Math.max(0, depths[i] + change);
        }
        return depths;
    }

    /** The bodies that the parser has entered, and whose opening brace it has passed. */
    private static int depth(ParserRuleContext context, Token offending) {
        int depth = 0;
        for (RuleContext at = context; at != null; at = at.parent) {
            boolean isInside = BODIES.contains(at.getRuleIndex())
                    && ((ParserRuleContext) at)
                            .getTokens(XdrParser.OPENING_BRACE).stream()
                                    .anyMatch(brace -> brace.getSymbol().getTokenIndex() < offending.getTokenIndex());
            boolean hasLeft = BODIES.contains(at.getRuleIndex())
                    && !((ParserRuleContext) at)
                            .getTokens(XdrParser.CLOSING_BRACE)
                            .isEmpty();
            depth += isInside && !hasLeft ? 1 : 0;
        }
        return depth;
    }

    /** Says which brace is still open at the end of the file. */
    private Diagnostic unclosed(TokenStream tokens, Diagnostic diagnostic) {
        depths = depths.length == 0 ? depths(tokens) : depths;
        int end = tokens.size() - 1;
        for (int i = end; i >= 0; i--) {
            if (tokens.get(i).getType() == XdrLexer.OPENING_BRACE
                    && depths[i] < depths[end]
                    && depths[i + 1] == depths[end]) {
                return diagnostic.note(positions.span(tokens.get(i)), "this brace is not closed");
            }
        }
        return diagnostic;
    }

    private static @Nullable Token endOfEarlierLine(Parser parser, Token offending) {
        Token before = parser.getTokenStream().LT(-1);
        return before == null || before.getLine() == offending.getLine() ? null : before;
    }

    /** Reports a missing semicolon at the end of the line that lacks it. */
    private Diagnostic missingBehind(Token unfinished, Diagnostic diagnostic) {
        Span end = positions.span(unfinished);
        return diagnostic.note(
                new Span(end.file(), end.line(), end.column() + end.length(), 1), "the `;` is missing here");
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

    /** Advice for a syntax error, for those who expect XDR to be as C, Java or Protocol Buffers. */
    private record SyntaxHints(Positions positions, ErrorPlace place) {

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
}
