// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.extract;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Finds definitions in other text: from a line that looks like the beginning of one to the semicolon that ends it. If the semicolon is missing, it
 * was other text after all. Ellipses in a definition become comments. Comments directly before a definition belong to it.
 */
final class DefinitionListings {

    private static final Pattern START = Pattern.compile(
            "\\s*(?:const\\s+\\w+\\s*=\\s*\\S+\\s*;|typedef\\s+\\w.*|(?:enum|struct|program)\\s+\\w+\\s*(?:\\{.*)?"
                    + "|union\\s+\\w+\\s+switch\\b.*)(?:\\s*/\\*.*)?");
    private static final Pattern ELLIPSIS = Pattern.compile("\\s*\\.(?:\\s?\\.)+\\s*");
    private static final Pattern PROSE = Pattern.compile(".*[.?]\\s*");
    private static final int LONGEST = 5_000;

    private final List<String> lines;
    private final List<String> found = new ArrayList<>();
    private final List<String> comments = new ArrayList<>();
    private int at;

    private DefinitionListings(List<String> lines) {
        this.lines = lines;
    }

    /** The definitions, each without its indentation and with an empty line behind it. */
    static List<String> in(List<String> lines) {
        DefinitionListings listings = new DefinitionListings(lines);
        listings.run();
        return listings.found;
    }

    private void run() {
        while (at < lines.size()) {
            String line = lines.get(at);
            int end = START.matcher(line).matches() ? end() : -1;
            if (end >= 0) {
                List<String> definition = new ArrayList<>(comments);
                definition.addAll(lines.subList(at, end + 1));
                add(definition);
                comments.clear();
                at = end + 1;
            } else if (line.stripLeading().startsWith("/*")) {
                comment();
            } else {
                if (!line.isBlank()) {
                    comments.clear();
                }
                at++;
            }
        }
    }

    /** Keeps a comment, which may belong to a definition. */
    private void comment() {
        int end = at;
        while (end < lines.size() && end - at < LONGEST && !lines.get(end).contains("*/")) {
            end++;
        }
        boolean isComplete =
                end < lines.size() && lines.get(end).stripTrailing().endsWith("*/");
        if (isComplete) {
            comments.addAll(lines.subList(at, end + 1));
        }
        at = isComplete ? end + 1 : at + 1;
    }

    /** The line with the semicolon that ends the definition beginning here; -1 if there is none. */
    private int end() {
        int depth = 0;
        boolean inComment = false;
        for (int line = at; line < lines.size() && line - at < LONGEST; line++) {
            String text = lines.get(line);
            for (int i = 0; i < text.length(); i++) {
                if (inComment) {
                    inComment = !text.startsWith("*/", i);
                } else if (text.startsWith("/*", i)) {
                    inComment = true;
                } else {
                    char c = text.charAt(i);
                    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
                    if (c == ';' && depth == 0) {
                        return line;
                    }
                }
            }
            boolean isProse = depth < 0
                    || (depth == 0 && !inComment && PROSE.matcher(text).matches());
            if (isProse || (depth == 0 && line > at && text.isBlank())) {
                return -1;
            }
        }
        return -1;
    }

    private void add(List<String> definition) {
        int indentation = definition.stream()
                .filter(line -> !line.isBlank())
                .mapToInt(line -> line.length() - line.stripLeading().length())
                .min()
                .orElse(0);
        for (String line : definition) {
            String text = line.isBlank() ? "" : line.substring(indentation).stripTrailing();
            found.add(ELLIPSIS.matcher(text).matches() ? "/* ... */" : text);
        }
        found.add("");
    }
}
