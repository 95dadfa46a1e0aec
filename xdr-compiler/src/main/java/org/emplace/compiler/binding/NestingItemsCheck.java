// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.HashSet;
import java.util.Set;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Target;

/** E319: no eligible item is in a type that holds itself as a tree does; in a list that is linked it may be. */
final class NestingItemsCheck implements BindingCheck {

    @Override
    public void check(BindingFacts facts, Diagnostics diagnostics) {
        Set<Target.Item> reported = new HashSet<>();
        for (ProcedureReach procedure : facts.procedures()) {
            for (Direction direction : Direction.values()) {
                procedure.in(direction).occurrences().stream()
                        .filter(occurrence -> occurrence.eligible() && occurrence.isNested())
                        .filter(occurrence -> reported.add(occurrence.item()))
                        .forEach(occurrence -> diagnostics.report(nested(procedure, direction, occurrence)));
            }
        }
    }

    private static Diagnostic nested(ProcedureReach procedure, Direction direction, Occurrence occurrence) {
        return Diagnostic.error(
                        "E319",
                        BindingFacts.span(
                                occurrence.field().origin(), occurrence.field().name()),
                        "`" + occurrence.item()
                                + "` is eligible, and its type holds itself: no one can say how many chunks that takes")
                .note(
                        BindingFacts.span(
                                procedure.procedure().origin(),
                                procedure.procedure().name()),
                        "in the " + direction.word() + " of `"
                                + procedure.procedure().name() + "`")
                .hint("move items of any number into an array or a linked list");
    }
}
