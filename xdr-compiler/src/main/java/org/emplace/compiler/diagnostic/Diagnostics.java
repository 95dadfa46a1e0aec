// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.diagnostic;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Collects what the passes of one run report. Not thread-safe. */
public final class Diagnostics {

    private static final int MOST_WITH_HINTS = 100;

    private final SortedSet<Diagnostic> reported = new TreeSet<>();
    private final Set<Use> uses = new HashSet<>();
    private final boolean standardOnly;
    private int errors;

    /** That a file uses an extension. */
    private record Use(String file, String code, String message) {}

    /** Collects for a run that takes extensions of the language. */
    public Diagnostics() {
        this(false);
    }

    /** Collects for a run that takes them, or that refuses each {@link Extension}. */
    public Diagnostics(boolean standardOnly) {
        this.standardOnly = standardOnly;
    }

    /** Keeps a diagnostic. Ignores a repeated one, and reports the use of an extension once for each file. */
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

    /** A collector with nothing in it for a part of the run, whose errors are to stop only what depends on that part. */
    public Diagnostics ofPart() {
        return new Diagnostics(standardOnly);
    }

    /** Keeps what was reported of a part too. */
    public void add(Diagnostics part) {
        part.reported.forEach(this::report);
    }

    /** Keeps the errors that were reported of a part, and nothing else. */
    public void addErrors(Diagnostics part, Predicate<Diagnostic> which) {
        part.reported.stream().filter(Diagnostic::isError).filter(which).forEach(this::report);
    }

    /** Drops the warnings and notes about files that the user cannot change. */
    public void ignoreWarnings(Predicate<String> ofFile) {
        reported.removeIf(diagnostic ->
                !diagnostic.isError() && ofFile.test(diagnostic.primary().file()));
    }

    /** Whether anything forbids output. */
    public boolean hasErrors() {
        return errorCount() > 0;
    }

    /** How many errors were reported. */
    public int errorCount() {
        return errors;
    }

    /** Whether a hint that takes some search is still worth it: behind a hundred errors it costs more than it helps. */
    public boolean wantsHints() {
        return errors < MOST_WITH_HINTS;
    }

    /** Everything reported, by place. */
    public List<Diagnostic> sorted() {
        return List.copyOf(reported);
    }
}
