// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.Set;
import java.util.stream.Collectors;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.syntax.Clause;

/**
 * The types that clauses give another form in Java; XDR names.
 *
 * @param openEnums the enums that may have values which their definitions do not name
 */
public record TypeClauses(Set<String> openEnums) {

    /** None. */
    public static final TypeClauses NONE = new TypeClauses(Set.of());

    static TypeClauses of(Clauses clauses) {
        return new TypeClauses(clauses.byTarget().keySet().stream()
                .filter(target -> clauses.of(target, Clause.Open.class).isPresent())
                .filter(Target.Type.class::isInstance)
                .map(target -> ((Target.Type) target).name())
                .collect(Collectors.toUnmodifiableSet()));
    }
}
