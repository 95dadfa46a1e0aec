// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.syntax.Clause;

/** Gathers the clauses that the linker comes by, and notes which of the things that they can speak of are in error. */
final class ClauseCollector {

    private final List<PlacedClause> placed = new ArrayList<>();
    private final Set<Target> inError = new HashSet<>();
    private final Diagnostics diagnostics;

    ClauseCollector(Diagnostics diagnostics) {
        this.diagnostics = diagnostics;
    }

    void place(Target target, List<Clause> clauses) {
        clauses.forEach(clause -> placed.add(new PlacedClause(target, clause)));
    }

    List<PlacedClause> placed() {
        return List.copyOf(placed);
    }

    /** Links something, which is in error if that reports errors. */
    <T> T link(Target target, Supplier<T> linking) {
        int before = diagnostics.errorCount();
        T linked = linking.get();
        if (diagnostics.errorCount() > before) {
            inError.add(target);
        }
        return linked;
    }

    void markInError(Target target) {
        inError.add(target);
    }

    Set<Target> inError() {
        return Set.copyOf(inError);
    }
}
