// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.syntax.Clause;
import org.emplace.compiler.syntax.Name;

/**
 * The types that clauses give another form in Java, by XDR names.
 *
 * @param openEnums the enums that accept values without a name
 * @param values the typedefs that are types of their own
 * @param texts those of them that hold text in UTF-8, for which XDR has no type
 * @param bits those of them that are sets of bits, with the enum that names the bits, if any
 */
public record TypeClauses(
        Set<String> openEnums, Set<String> values, Set<String> texts, Map<String, Optional<String>> bits) {

    /** No type clauses. */
    public static final TypeClauses NONE = new TypeClauses(Set.of(), Set.of(), Set.of(), Map.of());

    public TypeClauses {
        openEnums = Set.copyOf(openEnums);
        values = Set.copyOf(values);
        texts = Set.copyOf(texts);
        bits = Map.copyOf(bits);
    }

    static TypeClauses of(Clauses clauses) {
        Set<String> openEnums = new HashSet<>();
        Set<String> values = new HashSet<>();
        Set<String> texts = new HashSet<>();
        Map<String, Optional<String>> bits = new HashMap<>();
        clauses.byTarget()
                .forEach((target, ofTarget) -> ofTarget.forEach(clause -> {
                    if (target instanceof Target.Type type && clause instanceof Clause.Open) {
                        openEnums.add(type.name());
                    } else if (target instanceof Target.Type type && clause instanceof Clause.AsValue value) {
                        values.add(type.name());
                        if (value.isText()) {
                            texts.add(type.name());
                        }
                    } else if (target instanceof Target.Type type && clause instanceof Clause.Bits set) {
                        values.add(type.name());
                        bits.put(type.name(), set.names().map(Name::text));
                    }
                }));
        return new TypeClauses(openEnums, values, texts, bits);
    }

    /** A type behind all typedefs that are not types of their own. */
    public XdrType resolve(XdrType type, Protocol protocol) {
        XdrType at = type;
        while (at instanceof XdrType.Reference reference
                && !values.contains(reference.name())
                && protocol.type(reference.name()) instanceof TypeDefinition.Typedef typedef) {
            at = typedef.target();
        }
        return at;
    }
}
