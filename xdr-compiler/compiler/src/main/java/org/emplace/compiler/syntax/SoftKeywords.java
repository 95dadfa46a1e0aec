// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.WritableToken;

/** Treats {@code namespace} and {@code pragma} as keywords where definitions may begin. Elsewhere they are names. */
final class SoftKeywords {

    private SoftKeywords() {}

    static void mark(CommonTokenStream tokens) {
        List<Token> visible = tokens.getTokens().stream()
                .filter(token -> token.getChannel() == Token.DEFAULT_CHANNEL)
                .toList();
        // For each open brace, whether it belongs to a namespace.
        Deque<Boolean> open = new ArrayDeque<>();
        boolean isNamespaceOpening = false;
        boolean isDefinitionNext = true;
        for (int i = 0; i < visible.size(); i++) {
            Token token = visible.get(i);
            int type = token.getType();
            boolean amongDefinitions = open.isEmpty() || open.peek();
            if (isDefinitionNext && amongDefinitions && isName(visible, i + 1)) {
                isNamespaceOpening |= retype(token, "namespace", XdrParser.NAMESPACE);
                retype(token, "pragma", XdrParser.PRAGMA);
            }
            if (type == XdrLexer.OPENING_BRACE) {
                open.push(isNamespaceOpening);
                isNamespaceOpening = false;
            } else if (type == XdrLexer.CLOSING_BRACE) {
                open.poll();
            }
            isDefinitionNext =
                    type == XdrLexer.SEMICOLON || type == XdrLexer.OPENING_BRACE || type == XdrLexer.CLOSING_BRACE;
        }
    }

    private static boolean isName(List<Token> tokens, int index) {
        return index < tokens.size() && tokens.get(index).getType() == XdrLexer.IDENTIFIER;
    }

    private static boolean retype(Token token, String word, int type) {
        boolean isWord = token.getText().equals(word);
        if (isWord) {
            ((WritableToken) token).setType(type);
        }
        return isWord;
    }
}
