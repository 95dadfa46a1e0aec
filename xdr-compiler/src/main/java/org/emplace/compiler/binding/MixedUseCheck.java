// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;

/**
 * E311: within a procedure's arguments, and within its results, an item is eligible everywhere or nowhere, because its type is encoded in one way.
 */
final class MixedUseCheck implements BindingCheck {

    @Override
    public void check(BindingFacts facts, Diagnostics diagnostics) {
        for (ProcedureReach procedure : facts.procedures()) {
            for (Direction direction : Direction.values()) {
                procedure.in(direction).occurrences().stream()
                        .collect(Collectors.groupingBy(Occurrence::item))
                        .forEach((item, occurrences) -> check(procedure, direction, occurrences, diagnostics));
            }
        }
    }

    private static void check(
            ProcedureReach procedure, Direction direction, List<Occurrence> occurrences, Diagnostics diagnostics) {
        Map<Boolean, List<Occurrence>> byUse =
                occurrences.stream().collect(Collectors.partitioningBy(Occurrence::eligible));
        List<Occurrence> eligible = byUse.getOrDefault(true, List.of());
        List<Occurrence> inline = byUse.getOrDefault(false, List.of());
        if (eligible.isEmpty() || inline.isEmpty()) {
            return;
        }
        Occurrence one = inline.get(0);
        diagnostics.report(Diagnostic.error(
                        "E311",
                        procedure.procedure().origin(),
                        "`" + one.item() + "` is eligible as `" + path(direction, eligible.get(0)) + "`, but not as `"
                                + path(direction, one) + "`")
                .note(one.field().origin(), "defined here")
                .hint("make it eligible in both places, or use a type of its own in one of them"));
    }

    private static String path(Direction direction, Occurrence occurrence) {
        return direction.word() + "." + String.join(".", occurrence.path());
    }
}
