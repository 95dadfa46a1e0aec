// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.syntax.Definition;
import org.emplace.compiler.syntax.TypeSyntax;
import org.emplace.compiler.syntax.Value;

/** Part of pass 4: enums. */
record EnumLinker(Values values, Diagnostics diagnostics) {

    TypeDefinition link(Definition.Type type, TypeSyntax.Enumeration body) {
        Map<Integer, TypeSyntax.Enumerator> seen = new HashMap<>();
        List<TypeDefinition.Enumerator> enumerators = body.enumerators().stream()
                .flatMap(enumerator -> link(enumerator, seen).stream())
                .toList();
        return new TypeDefinition.Enumeration(
                type.name().text(), enumerators, type.documentation(), Origins.of(type.name()));
    }

    private Optional<TypeDefinition.Enumerator> link(
            TypeSyntax.Enumerator enumerator, Map<Integer, TypeSyntax.Enumerator> seen) {
        String name = enumerator.name().text();
        Value value = new Value.Named(
                name,
                enumerator.value().map(Value::span).orElse(enumerator.name().span()));
        return values.within(value, Integer.MIN_VALUE, Integer.MAX_VALUE, "the value of an enumerator")
                .flatMap(number -> {
                    TypeSyntax.Enumerator first = seen.putIfAbsent(number.intValue(), enumerator);
                    if (first != null) {
                        other(enumerator, first);
                        return Optional.empty();
                    }
                    return Optional.of(
                            new TypeDefinition.Enumerator(name, number.intValue(), enumerator.documentation()));
                });
    }

    /** A second name of a value. */
    private void other(TypeSyntax.Enumerator enumerator, TypeSyntax.Enumerator first) {
        String name = enumerator.name().text();
        diagnostics.report(Diagnostic.warning(
                        "W218",
                        enumerator.name().span(),
                        "`" + name + "` has the value of `" + first.name().text()
                                + "`, and is a constant of no enum in Java")
                .note(first.name().span(), "the first one with it")
                .hint("make it a constant: const " + name + " = "
                        + values.number(name).orElseThrow() + ";"));
        values.alsoConstant(enumerator.name(), enumerator.documentation());
    }
}
