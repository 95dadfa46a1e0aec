// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.StrongComponents;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeDefinition.Arm;
import org.emplace.compiler.model.TypeDefinition.Union;
import org.emplace.compiler.model.TypeUse;
import org.emplace.compiler.source.Span;

/**
 * Pass 6: checks recursion and sizes. A type that always contains itself has no finite value. Types that nest too deep need too much stack, in the
 * compiler and in generated code. A type whose smallest value exceeds every message is useless.
 */
record ShapeCheck(Protocol protocol, Diagnostics diagnostics) {

    /** No chain of definitions in use is longer. */
    private static final int DEEPEST = 500;

    private static final int MOST_NAMED = 5;

    /** Reports errors. Returns whether there are none. */
    boolean passes() {
        int before = diagnostics.errorCount();
        recursion();
        depth();
        if (diagnostics.errorCount() == before) {
            new SmallestSizes(protocol, diagnostics).check();
        }
        return diagnostics.errorCount() == before;
    }

    private void recursion() {
        Set<String> finite = new HashSet<>();
        for (List<String> component : StrongComponents.of(protocol.types().keySet(), this::held)) {
            while (component.stream().anyMatch(name -> isFinite(name, finite) && finite.add(name))) {
                // A type found to be finite may make another one finite.
            }
            List<String> endless =
                    component.stream().filter(name -> !finite.contains(name)).toList();
            // Types that use an endless type are reported together with it.
            if (!endless.isEmpty() && component.stream().anyMatch(name -> isInCycle(name, component))) {
                report(endless);
            }
            finite.addAll(component);
        }
    }

    private boolean isInCycle(String name, List<String> component) {
        return held(name).stream().anyMatch(component::contains);
    }

    /** Whether a type has a finite value, given the types that have. */
    private boolean isFinite(String name, Set<String> finite) {
        if (finite.contains(name)) {
            return true;
        }
        TypeDefinition definition = protocol.type(name);
        if (definition instanceof Union union) {
            return union.allArms()
                    .map(Arm::field)
                    .anyMatch(arm ->
                            arm.isEmpty() || isFinite(TypeUse.of(arm.get().type()), finite));
        }
        return isFinite(TypeUse.of(definition), finite);
    }

    private static boolean isFinite(List<TypeUse> uses, Set<String> finite) {
        return uses.stream().filter(TypeUse::held).map(TypeUse::type).allMatch(finite::contains);
    }

    private void report(List<String> endless) {
        String first = first(endless);
        Diagnostic error = Diagnostic.error("E210", span(first), "every `" + first + "` would contain another one")
                .hint("make one of the members optional (*) or an array of variable length (<>)");
        for (String other : endless.stream().sorted().limit(MOST_NAMED).toList()) {
            error = other.equals(first) ? error : error.note(span(other), "through `" + other + "`");
        }
        diagnostics.report(error);
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
        return protocol.type(name).origin();
    }
}
