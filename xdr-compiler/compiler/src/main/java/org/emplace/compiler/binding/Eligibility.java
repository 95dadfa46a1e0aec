// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.syntax.Clause;

/** The items that clauses make eligible, and where they are eligible. */
final class Eligibility implements Reach.Sought {

    private final Clauses clauses;
    private final Set<Target.Item> marked = new LinkedHashSet<>();

    Eligibility(Protocol protocol, Clauses clauses) {
        this.clauses = clauses;
        clauses.byTarget().keySet().forEach(target -> {
            if (target instanceof Target.Item item
                    && clauses.of(item, Clause.Eligible.class).isPresent()) {
                marked.add(item);
            }
        });
        clauses.ofPaths().stream()
                .filter(path -> path.clause() instanceof Clause.Eligible)
                .forEach(path -> marked.add(path.item()));
        LargestSizes sizes = LargestSizes.ofWhole(protocol);
        marked.removeIf(item -> protocol.type(item.type())
                .member(item.member())
                .filter(field -> sizes.ofItem(field.type()).equals(new ChunkPlan.Size.Fixed(0)))
                .isPresent());
    }

    /** The items that are eligible in at least one place. An item that never has any bytes needs no chunk, and is not among them. */
    @Override
    public Set<Target.Item> marked() {
        return marked;
    }

    @Override
    public boolean isEligible(Target.Procedure procedure, Direction direction, Target.Item item, List<String> path) {
        boolean isStated = clauses.of(item, Clause.Eligible.class)
                        .filter(clause -> speaksOf(clause, direction))
                        .isPresent()
                || clauses.ofPaths().stream()
                        .anyMatch(about -> about.clause() instanceof Clause.Eligible eligible
                                && speaksOf(eligible, direction)
                                && isAt(about, procedure, direction, path));
        return isStated && marked.contains(item);
    }

    /** Whether a clause for a path applies to the item at this path of a procedure. */
    static boolean isAt(Clauses.PathClause about, Target.Procedure procedure, Direction direction, List<String> path) {
        return about.procedure().equals(procedure)
                && about.direction() == direction
                && about.path().equals(Occurrence.withoutBrackets(path));
    }

    private static boolean speaksOf(Clause.Eligible clause, Direction direction) {
        return direction == Direction.ARGUMENTS ? clause.asArgument() : clause.asResult();
    }
}
