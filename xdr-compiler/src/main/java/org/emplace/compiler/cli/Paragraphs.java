// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

/** Text broken into lines. */
final class Paragraphs {

    private Paragraphs() {}

    /** Breaks a paragraph between words into lines that are at most so wide, unless a word is wider. */
    static String wrap(String paragraph, int width) {
        StringBuilder out = new StringBuilder();
        int column = 0;
        for (String word : paragraph.split(" ", -1)) {
            boolean fits = column + 1 + word.length() <= width;
            if (column > 0) {
                out.append(fits ? ' ' : '\n');
            }
            out.append(word);
            column = fits && column > 0 ? column + 1 + word.length() : word.length();
        }
        return out.toString();
    }
}
