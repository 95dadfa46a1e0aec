// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.List;
import java.util.stream.Stream;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.link.Target;
import org.emplace.compiler.syntax.Clause;

/** W312: a clause on an item has an effect: some procedure reaches the item so that it is eligible. */
final class UnreachedClauseCheck implements BindingCheck {

    @Override
    public void check(BindingFacts facts, Diagnostics diagnostics) {
        facts.clauses().byTarget().forEach((target, clauses) -> {
            if (target instanceof Target.Item item && !isUsed(facts, item)) {
                warn(item, clauses, diagnostics);
            }
        });
        for (Clauses.PathClause about : facts.clauses().ofPaths()) {
            if (!isUsed(facts, about.item())) {
                warn(about.item(), List.of(about.clause()), diagnostics);
            }
        }
    }

    private static boolean isUsed(BindingFacts facts, Target.Item item) {
        return facts.procedures().stream()
                .filter(procedure -> !procedure.backward())
                .flatMap(procedure -> Stream.of(procedure.arguments(), procedure.results()))
                .flatMap(found -> found.occurrences().stream())
                .anyMatch(
                        occurrence -> occurrence.eligible() && occurrence.item().equals(item));
    }

    private static void warn(Target.Item item, List<Clause> clauses, Diagnostics diagnostics) {
        clauses.stream()
                .filter(clause -> !(clause instanceof Clause.JavaName))
                .forEach(clause -> diagnostics.report(Diagnostic.warning(
                        "W312",
                        clause.span(),
                        "`" + clause.keyword() + "` has no effect: no procedure reaches `" + item.type() + "."
                                + item.member() + "` as an eligible item")));
    }
}
