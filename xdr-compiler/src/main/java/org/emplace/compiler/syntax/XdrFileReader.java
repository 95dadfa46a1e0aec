// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTreeWalker;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.preprocess.PreprocessedText;

/** Reads XDR files. */
public final class XdrFileReader {

    private XdrFileReader() {}

    /** Reads a file; empty if it has syntax errors, which are then reported. */
    public static Optional<SyntaxFile> read(PreprocessedText source, Diagnostics diagnostics) {
        Positions positions = Positions.of(source);
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
                .forEach(token -> clauses.put(token, UlbReader.read(token, positions, diagnostics)));
        XdrParser parser = new XdrParser(tokens);
        parser.removeErrorListeners();
        parser.addErrorListener(new SyntaxErrors(positions, diagnostics));
        parser.setErrorHandler(new KeepBraces());
        XdrParser.FileContext tree = parser.file();
        if (parser.getNumberOfSyntaxErrors() > 0) {
            return Optional.empty();
        }
        ParseTreeWalker.DEFAULT.walk(new DefaultArms(positions, diagnostics), tree);
        ParseTreeWalker.DEFAULT.walk(new ExtensionUses(positions, diagnostics), tree);
        SyntaxBuilder builder = new SyntaxBuilder(
                positions, diagnostics, new Numbers(positions, diagnostics), new Comments(tokens), clauses);
        return Optional.of(new SyntaxFile(source.name(), builder.definitions(tree), source.constantsOfC()));
    }
}
