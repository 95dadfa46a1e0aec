// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.extract;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Removes page breaks from a document's text: footers, form feeds, headers, and the empty lines around them. */
final class Pages {

    private static final Pattern FOOTER = Pattern.compile("\\S.*\\[Page \\d+\\]\\s*");
    private static final Pattern HEADER = Pattern.compile("(?i)(?:RFC \\d+|Internet-Draft) .*(?:19|20)\\d\\d\\s*");

    private Pages() {}

    /** The lines without those that occur once per page. */
    static List<String> joined(List<String> lines) {
        List<String> text = new ArrayList<>();
        boolean isBetweenPages = false;
        for (String raw : lines) {
            // Some copies have the two characters ^L instead of a form feed.
            String line = raw.replace("\f", "").replaceFirst("^\\^L$", "");
            boolean breaks =
                    line.length() < raw.length() || FOOTER.matcher(line).matches();
            if (breaks) {
                isBetweenPages = true;
                while (!text.isEmpty() && text.get(text.size() - 1).isBlank()) {
                    text.remove(text.size() - 1);
                }
                if (FOOTER.matcher(line).matches() || line.isBlank()) {
                    continue;
                }
            }
            boolean isHeader = isBetweenPages && HEADER.matcher(line).matches();
            if (isBetweenPages && (isHeader || line.isBlank())) {
                continue;
            }
            if (isBetweenPages) {
                text.add("");
            }
            isBetweenPages = false;
            text.add(line);
        }
        return text;
    }
}
