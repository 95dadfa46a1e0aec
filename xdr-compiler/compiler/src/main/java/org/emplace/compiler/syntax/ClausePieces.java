// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.Token;

/** Splits the text of clauses at the characters that end one, whatever the clauses contain. */
final class ClausePieces {

    private static final Set<Integer> ENDS_OF_HEADS = Set.of(UlbLexer.OPENING_BRACE, UlbLexer.CLOSING_BRACE);
    private static final Set<Integer> ENDS_OF_CLAUSES = Set.of(UlbLexer.SEMICOLON, UlbLexer.CLOSING_BRACE);
    private static final Set<Integer> SEPARATORS = Set.of(UlbLexer.SEMICOLON);

    private final List<Token> tokens;
    private int next;
    private Token lastEnd;

    private ClausePieces(List<Token> tokens) {
        this.tokens = tokens;
        this.lastEnd = tokens.get(tokens.size() - 1);
    }

    static ClausePieces of(String text) {
        UlbLexer lexer = new UlbLexer(CharStreams.fromString(text));
        lexer.removeErrorListeners();
        List<Token> tokens = new ArrayList<>(lexer.getAllTokens());
        tokens.add(lexer.emitEOF());
        return new ClausePieces(tokens);
    }

    /** Whether nothing is left. */
    boolean atEnd() {
        return tokens.get(next).getType() == Token.EOF;
    }

    /** The token that ended the last piece: one of the characters that can, or the end of the text. */
    Token lastEnd() {
        return lastEnd;
    }

    /** The head of an entry: the text up to its opening brace, or, if it has none, to a closing brace or the end. */
    List<Token> head() {
        return upTo(ENDS_OF_HEADS);
    }

    /** The clauses up to the closing brace or the end, each with the token that ends it. */
    List<List<Token>> braced() {
        List<List<Token>> pieces = new ArrayList<>();
        do {
            pieces.add(upTo(ENDS_OF_CLAUSES));
        } while (lastEnd.getType() == UlbLexer.SEMICOLON);
        return clauses(pieces);
    }

    /** All remaining clauses, each with the token that ends it. */
    List<List<Token>> rest() {
        List<List<Token>> pieces = new ArrayList<>();
        do {
            pieces.add(upTo(SEPARATORS));
        } while (lastEnd.getType() != Token.EOF);
        return clauses(pieces);
    }

    /** The last separator need not be followed by a clause. */
    private static List<List<Token>> clauses(List<List<Token>> pieces) {
        int last = pieces.size() - 1;
        return pieces.get(last).size() == 1 ? pieces.subList(0, last) : pieces;
    }

    private List<Token> upTo(Set<Integer> ends) {
        int start = next;
        while (!atEnd() && !ends.contains(tokens.get(next).getType())) {
            next++;
        }
        lastEnd = tokens.get(next);
        if (!atEnd()) {
            next++;
            return tokens.subList(start, next);
        }
        return tokens.subList(start, next + 1);
    }
}
