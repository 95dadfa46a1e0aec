// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.syntax.Definition;
import org.emplace.compiler.syntax.TypeSyntax;
import org.emplace.compiler.syntax.Value;

/** Part of pass 4: links enums. */
record EnumLinker(Values values, ClauseCollector clauses, Diagnostics diagnostics) {

    TypeDefinition link(Definition.Type type, TypeSyntax.Enumeration body) {
        Set<Integer> seen = new HashSet<>();
        List<TypeDefinition.Enumerator> enumerators = new ArrayList<>();
        List<TypeDefinition.Enumerator> aliases = new ArrayList<>();
        for (TypeSyntax.Enumerator enumerator : body.enumerators()) {
            clauses.place(new Target.Constant(enumerator.name().text()), enumerator.clauses());
            value(enumerator)
                    .ifPresent(value -> (seen.add(value) ? enumerators : aliases)
                            .add(new TypeDefinition.Enumerator(
                                    enumerator.name().text(), value, enumerator.documentation())));
        }
        return new TypeDefinition.Enumeration(
                type.name().text(),
                List.copyOf(enumerators),
                List.copyOf(aliases),
                type.documentation(),
                type.name().span());
    }

    private Optional<Integer> value(TypeSyntax.Enumerator enumerator) {
        Value value = new Value.Named(
                enumerator.name().text(),
                enumerator.value().map(Value::span).orElse(enumerator.name().span()));
        return values.within(value, Integer.MIN_VALUE, Integer.MAX_VALUE, "the value of an enumerator")
                .map(Number::intValue);
    }
}
