// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.diagnostic;

/** Makes characters visible that would control a terminal or reorder text, in the content and names of files. */
final class Visible {

    private Visible() {}

    /** The text with each such character as an escape such as {@code \u001b}. */
    static String text(String text) {
        return spelled(text, false);
    }

    /** The same for a source line, where tabs stay. */
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
