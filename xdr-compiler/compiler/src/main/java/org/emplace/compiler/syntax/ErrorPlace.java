// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.Set;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenStream;
import org.antlr.v4.runtime.misc.IntervalSet;

/**
 * The place of a syntax error: its token, those around it, and what the parser is doing.
 *
 * @param isInMacro whether the token comes from the replacement of a macro
 */
record ErrorPlace(Parser parser, Token offending, boolean isInMacro) {

    /** The text of the token in error. */
    String text() {
        return offending.getText();
    }

    boolean is(String text) {
        return text().equals(text);
    }

    boolean isName() {
        return offending.getType() == XdrParser.IDENTIFIER;
    }

    boolean isKeyword() {
        return !isName() && isWord(text());
    }

    static boolean isWord(String text) {
        return !text.isEmpty() && (Character.isLetter(text.charAt(0)) || text.charAt(0) == '_');
    }

    /** The rule of the grammar that the parser is in. */
    int rule() {
        return parser.getContext().getRuleIndex();
    }

    /** Whether the parser is in one of these rules, or in one inside them. */
    boolean isInside(Integer... rules) {
        return parser.getRuleInvocationStack().stream()
                .anyMatch(
                        rule -> Set.of(rules).contains(parser.getRuleIndexMap().get(rule)));
    }

    /** The types of tokens that could be here. */
    IntervalSet expected() {
        return parser.getExpectedTokens();
    }

    /** The type of a token by its text in the grammar. */
    int type(String literal) {
        return parser.getTokenType(literal);
    }

    /** The text of a visible token before the offending one; empty if there is none. */
    String before(int count) {
        return visible(-1, count);
    }

    /** The text of a visible token after the offending one; empty if there is none. */
    String after(int count) {
        return visible(1, count);
    }

    private String visible(int step, int count) {
        TokenStream tokens = parser.getTokenStream();
        int left = count;
        int at = offending.getTokenIndex();
        while (left > 0) {
            at += step;
            if (at < 0 || at >= tokens.size() || tokens.get(at).getType() == Token.EOF) {
                return "";
            }
            left -= tokens.get(at).getChannel() == Token.DEFAULT_CHANNEL ? 1 : 0;
        }
        return tokens.get(at).getText();
    }
}
