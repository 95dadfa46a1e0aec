// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.StrongComponents;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.TypeDefinition.Structure;
import org.emplace.compiler.model.TypeUse;

/**
 * Finds the types whose values can contain values of the same type, so that a decoder limits the depth of nesting. The link of a list does not count.
 */
final class Recursion {
    private final Protocol protocol;
    private final Set<String> recursive = new HashSet<>();

    Recursion(Protocol protocol) {
        this.protocol = protocol;
        for (List<String> component : StrongComponents.of(protocol.types().keySet(), this::uses)) {
            String first = component.get(0);
            if (component.size() > 1 || uses(first).contains(first)) {
                recursive.addAll(component);
            }
        }
    }

    boolean isRecursive(String type) {
        return recursive.contains(type);
    }

    private List<String> uses(String type) {
        return TypeUse.of(withoutLink(protocol.type(type))).stream()
                .map(TypeUse::type)
                .toList();
    }

    private TypeDefinition withoutLink(TypeDefinition definition) {
        OptionalInt link = protocol.link(definition);
        if (link.isEmpty()) {
            return definition;
        }
        List<Field> fields = new ArrayList<>(((Structure) definition).fields());
        fields.remove(link.getAsInt());
        return new Structure(definition.name(), fields, definition.documentation(), definition.origin());
    }
}
