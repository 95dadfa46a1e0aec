// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A rule for make without a recipe, which states the prerequisites of a target.
 *
 * @param prerequisites files of the command line
 * @param further other files that were read. Each also gets a rule without prerequisites, so that make does not fail if one no longer exists: the
 *     next run finds out whether it is needed
 */
record MakeRule(String target, List<String> prerequisites, List<String> further) {

    /** Characters that make interprets, unless a backslash precedes them. */
    private static final String SPECIAL = " \t#:*?[";

    /** Characters that make always interprets. */
    private static final String IMPOSSIBLE = ";|\n";

    MakeRule {
        prerequisites = List.copyOf(prerequisites);
        further = List.copyOf(further);
    }

    /** The first of the names that a makefile cannot express, if any. */
    Optional<String> impossibleName() {
        return Stream.of(List.of(target), prerequisites, further)
                .flatMap(List::stream)
                .filter(name -> name.chars().anyMatch(c -> IMPOSSIBLE.indexOf(c) >= 0))
                .findFirst();
    }

    /** The text for a makefile. */
    String text() {
        StringBuilder text = new StringBuilder(escaped(target).replace("%", "\\%")).append(':');
        prerequisites.forEach(name -> text.append(" \\\n  ").append(escaped(name)));
        further.forEach(name -> text.append(" \\\n  ").append(escaped(name)));
        text.append('\n');
        further.forEach(name ->
                text.append('\n').append(escaped(name).replace("%", "\\%")).append(":\n"));
        return text.toString();
    }

    private static String escaped(String name) {
        StringBuilder text = new StringBuilder();
        int backslashes = 0;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (SPECIAL.indexOf(c) >= 0) {
                // Otherwise these would escape each other.
                text.append("\\".repeat(backslashes + 1));
            } else if (c == '$') {
                text.append('$');
            }
            text.append(c);
            backslashes = c == '\\' ? backslashes + 1 : 0;
        }
        return text.toString();
    }
}
