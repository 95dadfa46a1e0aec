// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import org.emplace.compiler.binding.Reach.ProcedureReach;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.syntax.Clause;

/** W327: the limits of a procedure with eligible items allow at least one chunk for them. */
final class NoChunksCheck implements BindingCheck {

    @Override
    public void check(BindingFacts facts, Diagnostics diagnostics) {
        for (ProcedureReach procedure : facts.procedures()) {
            for (Direction direction : Direction.values()) {
                procedure.eligible(direction).stream()
                        .findFirst()
                        .ifPresent(item -> facts.clauses()
                                .of(procedure.target(), direction.limit())
                                .filter(limit -> limit.value().number().signum() == 0)
                                .ifPresent(limit -> diagnostics.report(warning(limit, procedure, direction, item))));
            }
        }
    }

    private static Diagnostic warning(
            Clause.Numeric limit, ProcedureReach procedure, Direction direction, Occurrence item) {
        return Diagnostic.warning(
                        "W327",
                        limit.span(),
                        "`" + limit.keyword() + " 0` leaves no chunk for the eligible " + direction.items() + " of `"
                                + procedure.target().procedure() + "`")
                .note(item.field().origin(), "the first of them")
                .hint("allow as many chunks as there are eligible items, or make none of them eligible here");
    }
}
