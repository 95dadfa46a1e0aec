// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;

/** E310: no eligible item is a part of another. */
final class NestedItemsCheck implements BindingCheck {

    @Override
    public void check(BindingFacts facts, Diagnostics diagnostics) {
        for (ProcedureReach procedure : facts.procedures()) {
            for (Direction direction : Direction.values()) {
                procedure.in(direction).occurrences().stream()
                        .filter(occurrence -> occurrence.inside().isPresent())
                        .forEach(occurrence -> diagnostics.report(nested(procedure, direction, occurrence)));
            }
        }
    }

    private static Diagnostic nested(ProcedureReach procedure, Direction direction, Occurrence occurrence) {
        String outer = occurrence
                .inside()
                .map(item -> item.type() + "." + item.member())
                .orElseThrow();
        String inner = occurrence.item().toString();
        return Diagnostic.error(
                        "E310",
                        BindingFacts.span(
                                occurrence.field().origin(), occurrence.field().name()),
                        "`" + inner + "` would be an eligible item inside another, `" + outer + "`")
                .note(
                        BindingFacts.span(
                                procedure.procedure().origin(),
                                procedure.procedure().name()),
                        "in the " + direction.word() + " of `"
                                + procedure.procedure().name() + "`")
                .hint("keep `eligible` on one of the two");
    }
}
