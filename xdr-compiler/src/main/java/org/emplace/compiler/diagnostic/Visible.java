// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.diagnostic;

/** Text of files and of their names, in which no character does anything to a terminal, or to the order in which others are read. */
final class Visible {

    private Visible() {}

    /** The text with every such character spelled, {@code \u001b}. */
    static String text(String text) {
        return spelled(text, false);
    }

    /** The same of a source line, where tabs stay. */
    static String line(String text) {
        return spelled(text, true);
    }

    private static String spelled(String text, boolean keepsTabs) {
        StringBuilder out = new StringBuilder();
        text.chars().forEach(c -> {
            if ((c == '\t' && keepsTabs) || !acts((char) c)) {
                out.append((char) c);
            } else {
                out.append("\\u%04x".formatted(c));
            }
        });
        return out.toString();
    }

    private static boolean acts(char c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}
