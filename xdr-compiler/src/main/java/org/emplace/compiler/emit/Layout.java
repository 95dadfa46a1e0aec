// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Lays JavaPoet's output out as people write Java: one-line Javadoc in one line, and long parameter lists one to a line. */
final class Layout {
    private static final int WIDTH = 120;
    private static final String CONTINUATION = "        ";
    private static final Pattern SHORT_JAVADOC = Pattern.compile("(?m)^( *)/\\*\\*\n *\\* ([^\n]*)\n *\\*/$");
    private static final Pattern EMPTY_BODY = Pattern.compile("\\{\n *}");
    private static final Pattern TAGS_AFTER_TEXT = Pattern.compile("(?m)^( *\\*) ([^@\n][^\n]*)\n( *\\* @)");
    private static final Pattern DECLARATION = Pattern.compile(
            "^ *(public |private |static |sealed |abstract |final |default |record |<\\w+> )*[\\w.<>?, ]+\\(.*");

    private Layout() {}

    static String tidy(String source) {
        String text = SHORT_JAVADOC.matcher(source).replaceAll("$1/** $2 */");
        text = EMPTY_BODY.matcher(text).replaceAll("{}");
        text = TAGS_AFTER_TEXT.matcher(text).replaceAll("$1 $2\n$1\n$3");
        return joined(text);
    }

    /** JavaPoet fills lines of 100 columns with parameters; gathers such a declaration again and breaks it evenly. */
    private static String joined(String text) {
        List<String> lines = new ArrayList<>();
        List<String> source = text.lines().toList();
        for (int i = 0; i < source.size(); i++) {
            String line = source.get(i);
            String next = i + 1 < source.size() ? source.get(i + 1).strip() : "";
            if (isBrokenDeclaration(line, next)) {
                StringBuilder whole = new StringBuilder(line);
                do {
                    i++;
                    whole.append(' ').append(source.get(i).strip());
                } while (!isComplete(source.get(i)));
                lines.addAll(broken(whole.toString()));
            } else {
                lines.add(line);
            }
        }
        return String.join("\n", lines) + "\n";
    }

    private static boolean isBrokenDeclaration(String line, String next) {
        boolean breaksParameters = line.endsWith(",") && line.lastIndexOf('(') > line.lastIndexOf(')');
        boolean breaksThrows = line.contains(") throws") && !isComplete(line);
        return (breaksParameters || breaksThrows || next.startsWith("throws "))
                && DECLARATION.matcher(line).matches();
    }

    private static boolean isComplete(String line) {
        return line.endsWith("{") || line.endsWith("{}") || line.endsWith(";");
    }

    private static List<String> broken(String declaration) {
        if (declaration.length() <= WIDTH) {
            return List.of(declaration);
        }
        int open = declaration.indexOf('(');
        int close = declaration.lastIndexOf(')');
        Matcher indent = Pattern.compile("^ *").matcher(declaration);
        String margin = (indent.find() ? indent.group() : "") + CONTINUATION;
        List<String> parameters = parameters(declaration.substring(open + 1, close));
        String rest = declaration.substring(close + 1);
        int clause = Math.max(rest.indexOf(" throws "), rest.indexOf(" implements "));
        String end = clause < 0 ? ")" + rest : ")";
        List<String> lines =
                new ArrayList<>(parameterLines(declaration.substring(0, open + 1), parameters, end, margin));
        if (clause >= 0) {
            lines.add(margin + rest.strip());
        }
        return lines;
    }

    private static List<String> parameterLines(String start, List<String> parameters, String end, String margin) {
        String all = String.join(", ", parameters) + end;
        if (start.length() + all.length() <= WIDTH) {
            return List.of(start + all);
        }
        if (margin.length() + all.length() <= WIDTH) {
            return List.of(start, margin + all);
        }
        return Stream.concat(
                        Stream.of(start),
                        Stream.of((margin + String.join(",\n" + margin, parameters) + end).split("\n")))
                .toList();
    }

    /** Splits at the commas that are not between angle brackets. */
    private static List<String> parameters(String list) {
        List<String> parameters = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < list.length(); i++) {
            char at = list.charAt(i);
            depth += at == '<' ? 1 : at == '>' ? -1 : 0;
            if (at == ',' && depth == 0) {
                parameters.add(list.substring(start, i).strip());
                start = i + 1;
            }
        }
        parameters.add(list.substring(start).strip());
        return parameters;
    }
}
