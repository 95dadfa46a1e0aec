// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A definition's use of a type.
 *
 * @param type the XDR name of that type
 * @param held whether values contain it directly: it is not behind optional-data or in an array that may be empty. A value of a union contains only one arm
 */
public record TypeUse(String type, boolean held) {

    /** The types that a definition uses, in order, with repetitions. */
    public static List<TypeUse> of(TypeDefinition definition) {
        List<TypeUse> uses = new ArrayList<>();
        if (definition instanceof TypeDefinition.Typedef typedef) {
            add(typedef.target(), true, uses);
        } else if (definition instanceof TypeDefinition.Union union) {
            add(union.discriminant().type(), true, uses);
        }
        definition.members().forEach(member -> add(member.type(), true, uses));
        return uses;
    }

    /** The types that a type uses, with repetitions. */
    public static List<TypeUse> of(XdrType type) {
        List<TypeUse> uses = new ArrayList<>();
        add(type, true, uses);
        return uses;
    }

    private static void add(XdrType type, boolean held, List<TypeUse> uses) {
        if (type instanceof XdrType.Reference reference) {
            uses.add(new TypeUse(reference.name(), held));
        } else if (type instanceof XdrType.FixedArray array) {
            add(array.element(), held, uses);
        } else if (type instanceof XdrType.VariableArray array) {
            add(array.element(), false, uses);
        } else if (type instanceof XdrType.Optional optional) {
            add(optional.element(), false, uses);
        }
    }
}
