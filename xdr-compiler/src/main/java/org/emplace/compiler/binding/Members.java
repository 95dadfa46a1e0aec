// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;

/** Finds members of structs and arms of unions, which are the items that clauses apply to. */
public record Members(Protocol protocol) {

    /** The members of a definition in stream order; none if it has no members. */
    public static List<TypeDefinition.Field> of(TypeDefinition definition) {
        if (definition instanceof TypeDefinition.Structure structure) {
            return structure.fields();
        }
        List<TypeDefinition.Field> fields = new ArrayList<>();
        if (definition instanceof TypeDefinition.Union union) {
            union.arms().forEach(arm -> arm.field().ifPresent(fields::add));
            union.defaultArm().flatMap(TypeDefinition.DefaultArm::field).ifPresent(fields::add);
        }
        return fields;
    }

    /** Finds a member by its name. */
    public static Optional<TypeDefinition.Field> named(TypeDefinition definition, String name) {
        return of(definition).stream()
                .filter(field -> field.name().equals(name))
                .findFirst();
    }

    /** The definition behind typedefs, optional-data and arrays; empty for primitive types. */
    public Optional<TypeDefinition> within(XdrType type) {
        XdrType at = protocol.resolve(type);
        while (true) {
            if (at instanceof XdrType.Optional optional) {
                at = protocol.resolve(optional.element());
            } else if (at instanceof XdrType.FixedArray array) {
                at = protocol.resolve(array.element());
            } else if (at instanceof XdrType.VariableArray array) {
                at = protocol.resolve(array.element());
            } else {
                return at instanceof XdrType.Reference reference
                        ? Optional.of(protocol.type(reference.name()))
                        : Optional.empty();
            }
        }
    }
}
