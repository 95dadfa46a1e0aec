// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.preprocess;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line marker in the output of C's preprocessor: {@code # 12 "nfs.x" 1}.
 *
 * @param line the number of the following line
 * @param file the original file, if the marker names one
 */
record LineMarker(int line, Optional<String> file) {

    private static final Pattern MARKER = Pattern.compile("(\\d{1,9})(?:\\s+\"(.*)\"[^\"]*)?");
    private static final Pattern ESCAPE = Pattern.compile("\\\\([^0-7])|((?:\\\\[0-7]{3})+)");
    private static final int OCTAL = 8;

    /** Parses the text after the {@code #}. Returns empty if it is not a marker. */
    static Optional<LineMarker> of(String text) {
        Matcher matcher = MARKER.matcher(text);
        return matcher.matches()
                ? Optional.of(new LineMarker(
                        Integer.parseInt(matcher.group(1)),
                        Optional.ofNullable(matcher.group(2))
                                .map(LineMarker::unescaped)
                                .filter(file -> !file.isEmpty())))
                : Optional.empty();
    }

    /** Removes escapes: the preprocessor writes a backslash before quotes and backslashes, and an octal number for each unprintable byte. */
    private static String unescaped(String name) {
        return ESCAPE.matcher(name)
                .replaceAll(escape ->
                        Matcher.quoteReplacement(escape.group(1) != null ? escape.group(1) : bytes(escape.group(2))));
    }

    private static String bytes(String escapes) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String digits : escapes.substring(1).split("\\\\", -1)) {
            bytes.write(Integer.parseInt(digits, OCTAL));
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
