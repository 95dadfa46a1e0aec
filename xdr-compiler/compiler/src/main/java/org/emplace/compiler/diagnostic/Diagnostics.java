// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.diagnostic;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Collects what the passes of one run report. Not thread-safe. */
public final class Diagnostics {

    private static final int MOST_WITH_HINTS = 100;

    /** The codes of errors for types and constants that do not exist. */
    private static final Set<String> OF_MISSING_NAMES = Set.of("E202", "E203");

    private final SortedSet<Diagnostic> reported = new TreeSet<>();
    private final Set<Use> uses = new HashSet<>();
    private final boolean standardOnly;
    private int errors;

    /** The use of an extension in a file. */
    private record Use(String file, String code, String message) {}

    /** A collector for a run that accepts extensions of the language. */
    public Diagnostics() {
        this(false);
    }

    /** A collector for a run that accepts extensions, or treats each {@link Extension} as an error. */
    public Diagnostics(boolean standardOnly) {
        this.standardOnly = standardOnly;
    }

    /** Adds a diagnostic. Ignores a repeated one, and reports the use of an extension once for each file. */
    public void report(Diagnostic diagnostic) {
        if (!Extension.isCode(diagnostic.code())) {
            keep(diagnostic);
        } else if (standardOnly) {
            keep(diagnostic.asError());
        } else if (uses.add(new Use(diagnostic.primary().file(), diagnostic.code(), diagnostic.message()))) {
            keep(diagnostic);
        }
    }

    private void keep(Diagnostic diagnostic) {
        if (reported.add(diagnostic) && diagnostic.isError()) {
            errors++;
        }
    }

    /** An empty collector for a part of the run. Its errors stop only what depends on that part. */
    public Diagnostics ofPart() {
        return new Diagnostics(standardOnly);
    }

    /** Adds the diagnostics of a part. */
    public void add(Diagnostics part) {
        part.reported.forEach(this::report);
    }

    /** Adds those errors of a part that match, and nothing else. */
    public void addErrors(Diagnostics part, Predicate<Diagnostic> which) {
        part.reported.stream().filter(Diagnostic::isError).filter(which).forEach(this::report);
    }

    /** Drops the warnings and notes about files that the user cannot change. */
    public void ignoreWarnings(Predicate<String> ofFile) {
        reported.removeIf(diagnostic ->
                !diagnostic.isError() && ofFile.test(diagnostic.primary().file()));
    }

    /** Whether there are errors, which prevent output. */
    public boolean hasErrors() {
        return errorCount() > 0;
    }

    /** The number of errors. */
    public int errorCount() {
        return errors;
    }

    /** Whether to search for hints. After a hundred errors they cost more time than they are worth. */
    public boolean wantsHints() {
        return errors < MOST_WITH_HINTS;
    }

    /** All diagnostics, by position. A name that does not exist is one diagnostic, at its first use. */
    public List<Diagnostic> sorted() {
        Map<String, Integer> uses = new HashMap<>();
        reported.stream()
                .filter(each -> OF_MISSING_NAMES.contains(each.code()))
                .forEach(each -> uses.merge(each.message(), 1, Integer::sum));
        List<Diagnostic> sorted = new ArrayList<>();
        for (Diagnostic each : reported) {
            if (!OF_MISSING_NAMES.contains(each.code())) {
                sorted.add(each);
            } else if (uses.containsKey(each.message())) {
                sorted.add(each.withUses(Objects.requireNonNull(uses.remove(each.message()))));
            }
        }
        return List.copyOf(sorted);
    }
}
