// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.util.ArrayList;
import java.util.List;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.syntax.Clause;

/** Gathers the clauses that the linker comes by. */
final class ClauseCollector {

    private final List<PlacedClause> placed = new ArrayList<>();
    private final Diagnostics diagnostics;

    ClauseCollector(Diagnostics diagnostics) {
        this.diagnostics = diagnostics;
    }

    void place(Target target, List<Clause> clauses) {
        clauses.forEach(clause -> placed.add(new PlacedClause(target, clause)));
    }

    /** There is nothing that a clause before {@code void} could speak of. */
    void refuse(List<Clause> clauses) {
        clauses.forEach(clause -> diagnostics.report(
                Diagnostic.error("E301", clause.span(), "a binding clause cannot stand before `void`")));
    }

    List<PlacedClause> placed() {
        return List.copyOf(placed);
    }
}
