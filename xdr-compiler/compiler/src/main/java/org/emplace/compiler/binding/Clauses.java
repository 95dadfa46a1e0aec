// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.syntax.Clause;

/**
 * All clauses of a run by their targets.
 *
 * @param byTarget the clauses of items, procedures, versions, types and constants, in order
 * @param ofPaths the clauses of items at a place in one procedure
 */
record Clauses(Map<Target, List<Clause>> byTarget, List<PathClause> ofPaths) {

    /** A clause for an item at a place in one procedure. The path has no {@code []}. */
    record PathClause(
            Target.Procedure procedure, Direction direction, List<String> path, Target.Item item, Clause clause) {}

    List<Clause> of(Target target) {
        return byTarget.getOrDefault(target, List.of());
    }

    /** The clause of a kind for a target. */
    <C extends Clause> Optional<C> of(Target target, Class<C> kind) {
        return of(target).stream().filter(kind::isInstance).map(kind::cast).findFirst();
    }

    /** The numeric clause of a kind for a target. */
    Optional<Clause.Numeric> of(Target target, Clause.Numeric.Kind kind) {
        return of(target).stream()
                .filter(Clause.Numeric.class::isInstance)
                .map(Clause.Numeric.class::cast)
                .filter(clause -> clause.kind() == kind)
                .findFirst();
    }
}
