// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.List;
import org.emplace.compiler.binding.Reach.ProcedureReach;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.syntax.Clause;

/**
 * W312: every clause has an effect. Some procedure contains its item as an eligible one, or the procedure whose chunks it limits has eligible items.
 */
final class UnreachedClauseCheck implements BindingCheck {

    @Override
    public void check(BindingFacts facts, Diagnostics diagnostics) {
        facts.clauses().byTarget().forEach((target, clauses) -> {
            if (target instanceof Target.Item item && !isUsed(facts, item)) {
                warn(facts, item, clauses, diagnostics);
            } else if (target instanceof Target.Item item && !isResult(facts, item)) {
                clauses.stream()
                        .filter(Clause.Size.class::isInstance)
                        .forEach(clause -> diagnostics.report(clause.withoutEffect(
                                "it is for results, and `" + item + "` is an eligible item of arguments alone")));
            }
        });
        for (Clauses.PathClause about : facts.clauses().ofPaths()) {
            if (!isUsed(facts, about.item())) {
                warn(facts, about.item(), List.of(about.clause()), diagnostics);
            }
        }
        for (ProcedureReach procedure : facts.procedures()) {
            for (Direction direction : Direction.values()) {
                limit(facts, procedure, direction, diagnostics);
            }
            if (procedure.procedure().isNull()) {
                facts.clauses()
                        .of(procedure.target(), Clause.Idempotent.class)
                        .ifPresent(clause -> diagnostics.report(clause.withoutEffect(
                                "procedure 0 without arguments and results is idempotent anyway")));
            }
        }
    }

    private static void limit(
            BindingFacts facts, ProcedureReach procedure, Direction direction, Diagnostics diagnostics) {
        if (procedure.eligible(direction).isEmpty()) {
            facts.clauses()
                    .of(procedure.target(), direction.limit())
                    .ifPresent(clause -> diagnostics.report(clause.withoutEffect(
                            "`" + procedure.target().procedure() + "` has no eligible " + direction.items())));
        }
    }

    private static boolean isUsed(BindingFacts facts, Target.Item item) {
        return isResult(facts, item) || isIn(facts, Direction.ARGUMENTS, item);
    }

    private static boolean isResult(BindingFacts facts, Target.Item item) {
        return isIn(facts, Direction.RESULTS, item);
    }

    private static boolean isIn(BindingFacts facts, Direction direction, Target.Item item) {
        return facts.procedures().stream()
                .filter(procedure -> !procedure.backward())
                .map(procedure -> procedure.in(direction))
                .flatMap(found -> found.occurrences().stream())
                .anyMatch(
                        occurrence -> occurrence.eligible() && occurrence.item().equals(item));
    }

    private static void warn(BindingFacts facts, Target.Item item, List<Clause> clauses, Diagnostics diagnostics) {
        boolean isEmpty = clauses.stream().anyMatch(Clause.Eligible.class::isInstance)
                && !facts.eligibility().marked().contains(item);
        String why = isEmpty
                ? "`" + item + "` never has any bytes"
                : "no procedure has `" + item + "` as an eligible item in its arguments or results";
        clauses.stream()
                .filter(clause -> !(clause instanceof Clause.JavaName))
                .forEach(clause -> diagnostics.report(clause.withoutEffect(why)));
    }
}
