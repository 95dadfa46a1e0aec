// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.util.regex.PatternSyntaxException;

/** Glob patterns, as {@link java.nio.file.FileSystem#getPathMatcher} defines them, as regular expressions. */
final class Globs {
    private static final String SPECIAL_IN_REGEX = ".^$+{[]|()\\";

    private final String glob;
    private final StringBuilder regex = new StringBuilder();
    private int at;
    private boolean inGroup;

    private Globs(String glob) {
        this.glob = glob;
    }

    /** @throws PatternSyntaxException if it is not a glob pattern */
    static String regex(String glob) {
        Globs globs = new Globs(glob);
        while (globs.at < glob.length()) {
            globs.next(glob.charAt(globs.at++));
        }
        if (globs.inGroup) {
            throw globs.wrong("a group is not closed by }");
        }
        return globs.regex.toString();
    }

    private PatternSyntaxException wrong(String problem) {
        return new PatternSyntaxException(problem, glob, at - 1);
    }

    private void next(char c) {
        switch (c) {
            case '\\' -> {
                if (at == glob.length()) {
                    throw wrong("no character follows \\");
                }
                literal(glob.charAt(at++));
            }
            case '[' -> bracket();
            case '{' -> {
                if (inGroup) {
                    throw wrong("groups cannot be nested");
                }
                inGroup = true;
                regex.append("(?:(?:");
            }
            case '}' -> {
                regex.append(inGroup ? "))" : "}");
                inGroup = false;
            }
            case ',' -> regex.append(inGroup ? ")|(?:" : ",");
            case '*' -> {
                boolean across = at < glob.length() && glob.charAt(at) == '*';
                at += across ? 1 : 0;
                regex.append(across ? ".*" : "[^/]*");
            }
            case '?' -> regex.append("[^/]");
            default -> literal(c);
        }
    }

    private void literal(char c) {
        if (SPECIAL_IN_REGEX.indexOf(c) >= 0 || c == '*' || c == '?' || c == '}') {
            regex.append('\\');
        }
        regex.append(c);
    }

    private void bracket() {
        int end = glob.indexOf(']', at + (glob.startsWith("!", at) ? 2 : 1));
        if (end < 0) {
            throw wrong("[ is not closed by ]");
        }
        String inside = glob.substring(at, end);
        if (inside.indexOf('/') >= 0) {
            throw wrong("brackets cannot contain a slash");
        }
        boolean not = inside.startsWith("!");
        String set = (not ? inside.substring(1) : inside)
                .replace("\\", "\\\\")
                .replace("[", "\\[")
                .replace("&&", "\\&&");
        regex.append("[[^/]&&[")
                .append(not ? "^" : "")
                .append(set.startsWith("^") ? "\\" + set : set)
                .append("]]");
        at = end + 1;
    }
}
