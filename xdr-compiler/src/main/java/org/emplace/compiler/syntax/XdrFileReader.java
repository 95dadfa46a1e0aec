// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.DefaultErrorStrategy;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.WritableToken;
import org.antlr.v4.runtime.tree.ParseTreeWalker;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.preprocess.PreprocessedText;
import org.jspecify.annotations.Nullable;

/** Reads XDR files. */
public final class XdrFileReader {

    /** How many times a file is parsed at most. Each time, the misplaced clauses found before are left out. */
    private static final int MOST_PASSES = 8;

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
        Optional<XdrParser.FileContext> parsed = parse(tokens);
        if (parsed.isEmpty()) {
            return Optional.empty();
        }
        XdrParser.FileContext tree = parsed.get();
        ParseTreeWalker.DEFAULT.walk(new DefaultArms(positions, diagnostics), tree);
        ParseTreeWalker.DEFAULT.walk(new ExtensionUses(positions, diagnostics), tree);
        SyntaxBuilder builder = new SyntaxBuilder(
                positions, diagnostics, ofClauses, new Numbers(positions, diagnostics), new Comments(tokens), clauses);
        return Optional.of(new SyntaxFile(source.name(), builder.definitions(tree), source.constantsOfC()));
    }

    /** The parse tree; empty if there are errors other than misplaced clauses. */
    private Optional<XdrParser.FileContext> parse(CommonTokenStream tokens) {
        for (int pass = 0; pass < MOST_PASSES; pass++) {
            tokens.seek(0);
            XdrParser parser = new XdrParser(tokens);
            SyntaxErrors errors = new SyntaxErrors(positions, diagnostics, ofClauses);
            parser.removeErrorListeners();
            parser.addErrorListener(errors);
            parser.setErrorHandler(new KeepBraces());
            XdrParser.FileContext tree = parser.file();
            if (parser.getNumberOfSyntaxErrors() == 0) {
                return Optional.of(tree);
            }
            List<Token> misplaced = errors.misplacedClauses();
            if (misplaced.size() < parser.getNumberOfSyntaxErrors()) {
                return Optional.empty();
            }
            misplaced.forEach(clause -> ((WritableToken) clause).setChannel(Token.HIDDEN_CHANNEL));
        }
        return Optional.empty();
    }

    /** Recovers from syntax errors without skipping a closing brace, so that an error in a body causes no errors after it. */
    private static final class KeepBraces extends DefaultErrorStrategy {

        @Override
        protected @Nullable Token singleTokenDeletion(Parser recognizer) {
            return recognizer.getCurrentToken().getType() == XdrParser.CLOSING_BRACE
                    ? null
                    : super.singleTokenDeletion(recognizer);
        }
    }
}
