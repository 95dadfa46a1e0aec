// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.emplace.compiler.binding.Reach.ProcedureReach;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;

/**
 * E311: in the arguments of a procedure, and in its results, an item that is eligible somewhere is eligible everywhere if anything is eligible there.
 * Its type is encoded in one way, and would take the chunk of an item that is eligible.
 */
final class MixedUseCheck implements BindingCheck {

    @Override
    public void check(BindingFacts facts, Diagnostics diagnostics) {
        for (ProcedureReach procedure : facts.procedures()) {
            for (Direction direction : Direction.values()) {
                List<Occurrence> occurrences = procedure.in(direction).occurrences();
                List<Occurrence> eligible =
                        occurrences.stream().filter(Occurrence::eligible).toList();
                if (!eligible.isEmpty()) {
                    occurrences.stream()
                            .filter(each -> !each.eligible() && each.inside().isEmpty())
                            .collect(Collectors.groupingBy(Occurrence::item, LinkedHashMap::new, Collectors.toList()))
                            .forEach((item, inline) ->
                                    report(procedure, direction, eligible, inline.get(0), diagnostics));
                }
            }
        }
    }

    private static void report(
            ProcedureReach procedure,
            Direction direction,
            List<Occurrence> eligible,
            Occurrence inline,
            Diagnostics diagnostics) {
        Optional<Occurrence> same = eligible.stream()
                .filter(each -> each.item().equals(inline.item()))
                .findFirst();
        String here = "`" + path(direction, inline) + "`";
        String what = same.isPresent()
                ? "eligible as `" + path(direction, same.get()) + "`, but not as " + here
                : "eligible elsewhere, but not as " + here + ", where it would take the chunk of `"
                        + path(direction, eligible.get(0)) + "`";
        diagnostics.report(
                Diagnostic.error("E311", procedure.procedure().origin(), "`" + inline.item() + "` is " + what)
                        .note(inline.field().origin(), "defined here")
                        .hint("make it eligible in both places, or use a type of its own in one of them"));
    }

    private static String path(Direction direction, Occurrence occurrence) {
        return direction.word() + "." + String.join(".", occurrence.path());
    }
}
