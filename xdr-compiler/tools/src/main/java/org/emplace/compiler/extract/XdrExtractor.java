// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.extract;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;


/**
 * Extracts the XDR from the plain text of a document. If lines are marked with {@code ///}, as in RFC 5662, extracts these; or else the text between
 * {@code <CODE BEGINS>} and {@code <CODE ENDS>}; or else every definition that {@link DefinitionListings} finds.
 */
public final class XdrExtractor {

    private static final Pattern SENTINEL = Pattern.compile("\\s*///(?: (.*)|(\\S?.*))");
    private static final Pattern CODE_BEGINS = Pattern.compile("\\s*<CODE BEGINS>.*");
    private static final Pattern CODE_ENDS = Pattern.compile("\\s*<CODE ENDS>.*");

    private XdrExtractor() {}

    /** The XDR of a document, line by line; empty if there is none. */
    public static String extract(String document) {
        List<String> lines = Pages.joined(document.lines().toList());
        List<String> xdr = marked(lines);
        if (xdr.isEmpty()) {
            xdr = DefinitionListings.in(code(lines));
        }
        if (xdr.isEmpty()) {
            xdr = DefinitionListings.in(lines);
        }
        return xdr.isEmpty() ? "" : String.join("\n", xdr) + "\n";
    }

    private static List<String> marked(List<String> lines) {
        List<String> marked = new ArrayList<>();
        for (String line : lines) {
            Matcher matcher = SENTINEL.matcher(line);
            if (matcher.matches()) {
                String text = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
                marked.add(text.stripTrailing());
            }
        }
        return marked;
    }

    private static List<String> code(List<String> lines) {
        List<String> code = new ArrayList<>();
        boolean inside = false;
        for (String line : lines) {
            if (CODE_BEGINS.matcher(line).matches()) {
                inside = true;
            } else if (CODE_ENDS.matcher(line).matches()) {
                inside = false;
            } else if (inside) {
                code.add(line);
            }
        }
        return code;
    }

    /** Removes page breaks from a document's text: footers, form feeds, headers, and the empty lines around them. */
    private static final class Pages {

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
}
