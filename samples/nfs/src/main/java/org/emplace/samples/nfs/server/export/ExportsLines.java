// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.util.ArrayList;
import java.util.List;
import org.emplace.samples.nfs.server.export.ExportDefinition.ExportSyntaxException;

/**
 * The lines of a file as exports(5) describes it, each as its words: without comments, blank lines, quotes, and the escapes of characters ({@code \040})
 * and line ends. One character is one byte.
 */
final class ExportsLines {
    private static final int OCTAL_DIGITS = 3;

    private final String text;
    private int position;
    private int line = 1;
    private int begin = 1;

    ExportsLines(String text) {
        this.text = text;
    }

    /** The number of the line on which the last words began, counted from 1. */
    int line() {
        return begin;
    }

    /**
     * The words of the next line that has any; none at the end of the file.
     *
     * @throws ExportSyntaxException if a word is wrong; the line after it is then the next
     */
    List<String> next() throws ExportSyntaxException {
        List<String> words = new ArrayList<>();
        while (position < text.length()) {
            char c = text.charAt(position);
            if (c == '\n') {
                endLine();
                if (!words.isEmpty()) {
                    return words;
                }
            } else if (continues()) {
                position++;
                endLine();
            } else if (Character.isWhitespace(c)) {
                position++;
            } else if (c == '#') {
                skipLine();
            } else {
                if (words.isEmpty()) {
                    begin = line;
                }
                try {
                    words.add(word());
                } catch (ExportSyntaxException e) {
                    skipLine();
                    throw e;
                }
            }
        }
        return words;
    }

    private void endLine() {
        position++;
        line++;
    }

    private boolean continues() {
        return text.startsWith("\\\n", position);
    }

    private void skipLine() {
        int end = text.indexOf('\n', position);
        position = end < 0 ? text.length() : end;
    }

    private String word() throws ExportSyntaxException {
        StringBuilder word = new StringBuilder();
        boolean quoted = false;
        while (position < text.length()) {
            char c = text.charAt(position);
            if (c == '"') {
                quoted = !quoted;
                position++;
            } else if (c == '\n' || continues() || (!quoted && Character.isWhitespace(c))) {
                break;
            } else if (c == '\\') {
                word.append(escaped());
            } else {
                word.append(c);
                position++;
            }
        }
        if (quoted) {
            throw new ExportSyntaxException("a quote (\") is not closed before the end of the line");
        }
        return word.toString();
    }

    private char escaped() throws ExportSyntaxException {
        int end = Math.min(text.length(), position + 1 + OCTAL_DIGITS);
        String digits = text.substring(position + 1, end);
        if (!digits.matches("[0-3][0-7]{2}")) {
            throw new ExportSyntaxException(
                    "a backslash is followed by three octal digits, such as \\040 for a space, or by the end of the line");
        }
        position = end;
        return (char) Integer.parseInt(digits, 8);
    }
}
