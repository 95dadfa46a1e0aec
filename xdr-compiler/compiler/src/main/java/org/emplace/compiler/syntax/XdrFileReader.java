// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.DefaultErrorStrategy;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTreeWalker;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.preprocess.PreprocessedText;
import org.jspecify.annotations.Nullable;

/** Reads XDR files. */
public final class XdrFileReader {

    private final Positions positions;
    private final Diagnostics diagnostics;
    private final Diagnostics ofClauses;

    private XdrFileReader(Positions positions, Diagnostics diagnostics, Diagnostics ofClauses) {
        this.positions = positions;
        this.diagnostics = diagnostics;
        this.ofClauses = ofClauses;
    }

    /**
     * Reads a file. Returns empty if it has syntax errors, which are reported. An error in a binding clause is not a syntax error: the clause is left
     * out, so that it does not hide errors in the rest.
     *
     * @param ofClauses receives the errors in clauses
     */
    public static Optional<SyntaxFile> read(PreprocessedText source, Diagnostics diagnostics, Diagnostics ofClauses) {
        return new XdrFileReader(Positions.of(source), diagnostics, ofClauses).read(source);
    }

    private Optional<SyntaxFile> read(PreprocessedText source) {
        XdrLexer lexer = new XdrLexer(CharStreams.fromString(source.text()));
        lexer.removeErrorListeners();
        CommonTokenStream tokens = new CommonTokenStream(lexer);
        if (!new TokenCheck(positions, diagnostics).passes(tokens)) {
            return Optional.empty();
        }
        SoftKeywords.mark(tokens);
        Map<Token, List<Clause>> clauses = new HashMap<>();
        tokens.getTokens().stream()
                .filter(token -> token.getType() == XdrLexer.DDP)
                .forEach(token -> clauses.put(token, UlbReader.read(token, positions, ofClauses)));
        BindingPlaces places = new BindingPlaces(tokens);
        int errors = diagnostics.errorCount();
        XdrParser.FileContext tree = parse(tokens);
        places.misplaced(tree).forEach(this::misplaced);
        if (diagnostics.errorCount() > errors) {
            return Optional.empty();
        }
        ParseTreeWalker.DEFAULT.walk(new DefaultArms(positions, diagnostics), tree);
        ParseTreeWalker.DEFAULT.walk(new ExtensionUses(positions, diagnostics), tree);
        SyntaxBuilder builder = new SyntaxBuilder(
                positions,
                diagnostics,
                ofClauses,
                new Numbers(positions, diagnostics),
                new Comments(tokens),
                places,
                clauses);
        return Optional.of(new SyntaxFile(source.name(), builder.definitions(tree), source.linesForC()));
    }

    private XdrParser.FileContext parse(CommonTokenStream tokens) {
        XdrParser parser = new XdrParser(tokens);
        parser.removeErrorListeners();
        parser.addErrorListener(new SyntaxErrors(positions, diagnostics));
        parser.setErrorHandler(new KeepBraces());
        return parser.file();
    }

    private void misplaced(Token clause) {
        ofClauses.report(
                Diagnostic.error("E301", positions.span(clause), "a binding clause is not allowed here")
                        .hint(
                                "write it directly before a member, an arm's declaration, a procedure, a version, a type, an enumerator or a constant"));
    }

    /**
     * Recovers from syntax errors without skipping a closing brace, so that an error in a body causes no errors after it. Skips the rest of a member
     * with an error.
     */
    private static final class KeepBraces extends DefaultErrorStrategy {

        private static final Set<Integer> ENDS =
                Set.of(XdrParser.SEMICOLON, XdrParser.OPENING_BRACE, XdrParser.CLOSING_BRACE, Token.EOF);

        @Override
        protected @Nullable Token singleTokenDeletion(Parser recognizer) {
            return recognizer.getCurrentToken().getType() == XdrParser.CLOSING_BRACE
                    ? null
                    : super.singleTokenDeletion(recognizer);
        }

        @Override
        public void recover(Parser recognizer, RecognitionException cause) {
            int rule = recognizer.getContext().getRuleIndex();
            boolean isInMember = rule == XdrParser.RULE_member || rule == XdrParser.RULE_declaration;
            if (!isInMember || !endsWithSemicolon(recognizer)) {
                super.recover(recognizer, cause);
                return;
            }
            while (recognizer.getCurrentToken().getType() != XdrParser.SEMICOLON) {
                recognizer.consume();
            }
            if (rule == XdrParser.RULE_member) {
                recognizer.consume();
            }
        }

        /** Whether a semicolon comes before the next brace. */
        private static boolean endsWithSemicolon(Parser parser) {
            int ahead = 1;
            int type = parser.getTokenStream().LA(ahead);
            while (!ENDS.contains(type)) {
                type = parser.getTokenStream().LA(++ahead);
            }
            return type == XdrParser.SEMICOLON;
        }
    }
}
