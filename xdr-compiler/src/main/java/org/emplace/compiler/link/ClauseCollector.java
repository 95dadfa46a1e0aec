// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.util.ArrayList;
import java.util.List;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.syntax.Clause;

/** Gathers the clauses that the linker comes by. */
final class ClauseCollector {

    private final List<PlacedClause> placed = new ArrayList<>();

    void place(Target target, List<Clause> clauses) {
        clauses.forEach(clause -> placed.add(new PlacedClause(target, clause)));
    }

    List<PlacedClause> placed() {
        return List.copyOf(placed);
    }
}
