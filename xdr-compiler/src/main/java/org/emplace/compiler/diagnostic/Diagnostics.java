// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.diagnostic;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Collects what the passes of one run report. Not thread-safe. */
public final class Diagnostics {

    private final SortedSet<Diagnostic> reported = new TreeSet<>();

    /** Keeps a diagnostic; saying the same twice is saying it once. */
    public void report(Diagnostic diagnostic) {
        reported.add(diagnostic);
    }

    /** Whether anything forbids output. */
    public boolean hasErrors() {
        return reported.stream().anyMatch(diagnostic -> diagnostic.severity() == Diagnostic.Severity.ERROR);
    }

    /** Everything reported, by place. */
    public List<Diagnostic> sorted() {
        return List.copyOf(reported);
    }
}
