// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Origin;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeUse;
import org.emplace.compiler.source.Span;

/**
 * Pass 6: recursion and sizes. A type that holds itself has no finite value; types that nest too deep would cost too much stack, here and in
 * the generated code; and a type whose smallest value fits no message is of no use.
 */
record ShapeCheck(Protocol protocol, Diagnostics diagnostics) {

    /** More types than any chain of definitions in use needs. */
    private static final int DEEPEST = 500;

    private static final int MOST_NAMED = 5;

    void run() {
        recursion();
        depth();
        if (!diagnostics.hasErrors()) {
            new SmallestSizes(protocol, diagnostics).check();
        }
    }

    private void recursion() {
        for (List<String> component : StrongComponents.of(protocol.types().keySet(), this::held)) {
            String first = first(component);
            if (component.size() == 1 && !held(first).contains(first)) {
                continue;
            }
            Diagnostic error = Diagnostic.error("E210", span(first), "every `" + first + "` would hold another one")
                    .hint("make a member on the way optional (*) or an array of variable length (<>)");
            for (String other : component.stream().sorted().limit(MOST_NAMED).toList()) {
                error = other.equals(first) ? error : error.note(span(other), "by way of `" + other + "`");
            }
            diagnostics.report(error);
        }
    }

    private void depth() {
        Map<String, Integer> depths = new HashMap<>();
        for (List<String> component : StrongComponents.of(protocol.types().keySet(), this::used)) {
            int below = component.stream()
                    .flatMap(name -> used(name).stream())
                    .mapToInt(name -> depths.getOrDefault(name, 0))
                    .max()
                    .orElse(0);
            int depth = below + component.size();
            component.forEach(name -> depths.put(name, depth));
            if (below <= DEEPEST && depth > DEEPEST) {
                diagnostics.report(Diagnostic.error(
                        "E216", span(first(component)), "types nest deeper than " + DEEPEST + " levels"));
            }
        }
    }

    private List<String> held(String name) {
        return TypeUse.of(protocol.type(name)).stream()
                .filter(TypeUse::held)
                .map(TypeUse::type)
                .toList();
    }

    private List<String> used(String name) {
        return TypeUse.of(protocol.type(name)).stream().map(TypeUse::type).toList();
    }

    private String first(List<String> component) {
        return component.stream().min((a, b) -> span(a).compareTo(span(b))).orElseThrow();
    }

    private Span span(String name) {
        TypeDefinition definition = protocol.type(name);
        Origin origin = definition.origin();
        return new Span(origin.file(), origin.line(), origin.column(), name.length());
    }
}
