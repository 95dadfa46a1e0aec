// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.model;

import java.util.List;
import java.util.Map;

/**
 * Everything that one run of the compiler was given, linked.
 *
 * @param constants in order of definition
 * @param types by XDR name, in order of definition; also the anonymous types, under names the linker gave them
 * @param programs in order of definition
 */
public record Protocol(List<Constant> constants, Map<String, TypeDefinition> types, List<Program> programs) {

    /** The definition behind a reference, typedefs followed; never a {@link TypeDefinition.Typedef}. */
    public XdrType resolve(XdrType type) {
        XdrType at = type;
        while (at instanceof XdrType.Reference reference
                && types.get(reference.name()) instanceof TypeDefinition.Typedef typedef) {
            at = typedef.target();
        }
        return at;
    }

    /** The definition that a name refers to. */
    public TypeDefinition type(String name) {
        TypeDefinition definition = types.get(name);
        if (definition == null) {
            throw new IllegalArgumentException("no type " + name + " in this protocol");
        }
        return definition;
    }
}
