// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.syntax.Clause;

/** E305: a clause about the form of a type stands before a type that can have that form. */
final class TypeClauseCheck implements BindingCheck {

    @Override
    public void check(BindingFacts facts, Diagnostics diagnostics) {
        facts.clauses().byTarget().forEach((target, clauses) -> {
            if (target instanceof Target.Type type) {
                TypeDefinition definition = facts.protocol().type(type.name());
                clauses.forEach(clause -> check(definition, clause, diagnostics));
            }
        });
    }

    private static void check(TypeDefinition definition, Clause clause, Diagnostics diagnostics) {
        if (clause instanceof Clause.Open && !(definition instanceof TypeDefinition.Enumeration)) {
            diagnostics.report(
                    Diagnostic.error("E305", clause.span(), "`open` says nothing about `" + definition.name() + "`")
                            .hint("it belongs to an enum"));
        }
    }
}
