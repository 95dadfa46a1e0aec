// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.syntax.Clause;

/** E308: an eligible item is opaque, a string, an array, a struct or optional-data; it is not a union or a single value. */
final class EligibleKindCheck implements BindingCheck {

    @Override
    public void check(BindingFacts facts, Diagnostics diagnostics) {
        facts.clauses().byTarget().forEach((target, clauses) -> {
            if (target instanceof Target.Item item) {
                clauses.forEach(clause -> check(facts.protocol(), item, clause, diagnostics));
            }
        });
        facts.clauses().ofPaths().forEach(path -> check(facts.protocol(), path.item(), path.clause(), diagnostics));
    }

    private static void check(Protocol protocol, Target.Item item, Clause clause, Diagnostics diagnostics) {
        if (!(clause instanceof Clause.Eligible)) {
            return;
        }
        TypeDefinition.Field field =
                protocol.type(item.type()).member(item.member()).orElseThrow();
        XdrType type = protocol.resolve(field.type());
        TypeDefinition definition = protocol.definition(type).orElse(null);
        if (definition instanceof TypeDefinition.Union) {
            diagnostics.report(Diagnostic.error(
                            "E308", clause.span(), "`" + item.member() + "` is a union, which cannot be eligible")
                    .hint("make the members of its arms eligible"));
        } else if (definition instanceof TypeDefinition.Enumeration || type instanceof XdrType.Primitive) {
            diagnostics.report(Diagnostic.error(
                    "E308", clause.span(), "`" + item.member() + "` is a single value, which cannot be eligible"));
        }
    }
}
