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
                Members.named(protocol.type(item.type()), item.member()).orElseThrow();
        XdrType type = protocol.resolve(field.type());
        boolean union = type instanceof XdrType.Reference reference
                && protocol.type(reference.name()) instanceof TypeDefinition.Union;
        boolean enumeration = type instanceof XdrType.Reference reference
                && protocol.type(reference.name()) instanceof TypeDefinition.Enumeration;
        if (union) {
            diagnostics.report(Diagnostic.error(
                            "E308", clause.span(), "`" + item.member() + "` is a union, which cannot be eligible")
                    .hint("make the members of its arms eligible"));
        } else if (enumeration || type instanceof XdrType.Primitive) {
            diagnostics.report(Diagnostic.error(
                    "E308", clause.span(), "`" + item.member() + "` is a single value, which cannot be eligible"));
        }
    }
}
