// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.HashSet;
import java.util.Set;
import org.emplace.compiler.binding.Reach.ProcedureReach;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Target;

/** E310: no eligible item is part of another. E319: none is in a type that contains itself other than as a linked list. */
final class NestedItemsCheck implements BindingCheck {

    @Override
    public void check(BindingFacts facts, Diagnostics diagnostics) {
        Set<Target.Item> inTrees = new HashSet<>();
        for (ProcedureReach procedure : facts.procedures()) {
            for (Direction direction : Direction.values()) {
                for (Occurrence occurrence : procedure.in(direction).occurrences()) {
                    String item = "`" + occurrence.item() + "`";
                    occurrence.inside().ifPresent(outer -> {
                        String what = item + " is eligible inside `" + outer + "`, which is eligible itself";
                        diagnostics.report(error("E310", what, occurrence, procedure, direction)
                                .hint("keep `eligible` on one of the two"));
                    });
                    if (occurrence.eligible() && occurrence.isNested() && inTrees.add(occurrence.item())) {
                        String what = item
                                + " is eligible, and its type contains itself: there is no limit on the number of its chunks";
                        diagnostics.report(error("E319", what, occurrence, procedure, direction)
                                .hint("put a variable number of items into an array or a linked list"));
                    }
                }
            }
        }
    }

    private static Diagnostic error(
            String code, String what, Occurrence occurrence, ProcedureReach reach, Direction direction) {
        String procedure = reach.procedure().name();
        return Diagnostic.error(code, occurrence.field().origin(), what)
                .note(reach.procedure().origin(), "in the " + direction.items() + " of `" + procedure + "`");
    }
}
