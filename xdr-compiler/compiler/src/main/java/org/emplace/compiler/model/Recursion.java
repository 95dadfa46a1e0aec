// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.model;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the types whose values can contain values of the same type, so that a decoder limits the depth of nesting. The link of a list does not count.
 */
public final class Recursion {
    private final Protocol protocol;
    private final Set<String> recursive = new HashSet<>();

    /** Finds these types of a protocol. */
    public Recursion(Protocol protocol) {
        this.protocol = protocol;
        for (List<String> component : StrongComponents.of(protocol.types().keySet(), this::uses)) {
            String first = component.get(0);
            if (component.size() > 1 || uses(first).contains(first)) {
                recursive.addAll(component);
            }
        }
    }

    /** Whether a type is one of them. */
    public boolean isRecursive(String type) {
        return recursive.contains(type);
    }

    private List<String> uses(String type) {
        TypeDefinition definition = protocol.type(type);
        Stream<TypeUse> uses = protocol.link(definition).isEmpty()
                ? TypeUse.of(definition).stream()
                : protocol.withoutLink(definition).stream().flatMap(member -> TypeUse.of(member.type()).stream());
        return uses.map(TypeUse::type).toList();
    }
}
