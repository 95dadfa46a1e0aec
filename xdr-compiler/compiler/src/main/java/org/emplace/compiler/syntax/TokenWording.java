// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.Vocabulary;
import org.antlr.v4.runtime.misc.IntervalSet;

/** Names tokens for messages. */
final class TokenWording {

    private static final int MOST_NAMED = 4;
    private static final int LONGEST = 40;

    private TokenWording() {}

    static String character(String text) {
        int point = text.codePointAt(0);
        return Character.isISOControl(point) || point > 0x7e ? "U+%04X".formatted(point) : "`" + text + "`";
    }

    /** A token that was found. */
    static String found(Token token) {
        if (token.getType() == Token.EOF) {
            return "the end";
        }
        String text = token.getText();
        return "`" + (text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text) + "`";
    }

    /** The tokens that were expected, by name if that is short, or else the given phrase. */
    static String expected(IntervalSet types, Recognizer<?, ?> recognizer, String otherwise) {
        List<String> names = types.toList().stream()
                .filter(type -> !isOfOthers(type, recognizer.getVocabulary()))
                .map(type -> name(type, recognizer.getVocabulary()))
                .toList();
        if (names.isEmpty() || names.size() > MOST_NAMED) {
            return otherwise;
        }
        String last = names.get(names.size() - 1);
        return names.size() == 1
                ? last
                : names.stream().limit(names.size() - 1L).collect(Collectors.joining(", ")) + " or " + last;
    }

    /** Tokens that are accepted only for compatibility, so messages do not propose them. */
    private static boolean isOfOthers(int type, Vocabulary vocabulary) {
        return Set.of("STRING", "CHARACTER", "QUALIFIER").contains(String.valueOf(vocabulary.getSymbolicName(type)));
    }

    private static String name(int type, Vocabulary vocabulary) {
        if (type == Token.EOF) {
            return "the end";
        }
        String literal = vocabulary.getLiteralName(type);
        if (literal != null) {
            return "`" + literal.substring(1, literal.length() - 1) + "`";
        }
        return switch (vocabulary.getSymbolicName(type)) {
            case "IDENTIFIER", "WORD" -> "a name";
            case "NUMBER" -> "a number";
            default -> vocabulary.getSymbolicName(type);
        };
    }
}
