// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.model;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A named type. Documentation is the comment text beside the definition, without comment marks; empty if there is none. */
public sealed interface TypeDefinition {

    /** The XDR name; that of a type which is written where it is used is {@code HOLDER.MEMBER}. */
    String name();

    /** The text of the comments beside it. */
    String documentation();

    /** Where it stands. */
    Origin origin();

    /** {@code typedef}: another name for a type. */
    record Typedef(String name, XdrType target, String documentation, Origin origin) implements TypeDefinition {}

    /**
     * {@code enum}.
     *
     * @param enumerators the values, each by its first name
     * @param aliases further names of these values
     */
    record Enumeration(
            String name, List<Enumerator> enumerators, List<Enumerator> aliases, String documentation, Origin origin)
            implements TypeDefinition {

        /** All names of its values. */
        public Stream<Enumerator> withAliases() {
            return Stream.concat(enumerators.stream(), aliases.stream());
        }
    }

    /** {@code struct}. */
    record Structure(String name, List<Field> fields, String documentation, Origin origin) implements TypeDefinition {}

    /**
     * {@code union}.
     *
     * @param discriminant int, unsigned int, bool or an enum, after typedefs
     * @param arms the cases, each with the values that select it
     * @param defaultArm its field empty for {@code default: void}
     */
    record Union(
            String name,
            Field discriminant,
            List<Arm> arms,
            Optional<DefaultArm> defaultArm,
            String documentation,
            Origin origin)
            implements TypeDefinition {}

    /** One value of an enum; the wire value is a signed 32-bit number. */
    record Enumerator(String name, int value, String documentation) {}

    /** A member of a struct, or a union's discriminant. */
    record Field(String name, XdrType type, String documentation, Origin origin) {}

    /** A declaration and the labels that select it. */
    record Arm(List<CaseValue> cases, Optional<Field> field, String documentation) {}

    /** The {@code default} arm. */
    record DefaultArm(Optional<Field> field, String documentation) {}

    /**
     * A value that selects an arm.
     *
     * @param label as the source has it: an enumerator's or constant's name, or a number
     * @param value its number; signed, or unsigned where the discriminant is
     */
    record CaseValue(String label, long value) {}
}
