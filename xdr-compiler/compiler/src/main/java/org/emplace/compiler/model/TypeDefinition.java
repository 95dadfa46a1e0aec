// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.model;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.emplace.compiler.source.Span;

/** A named type. Its documentation is the text of the comments beside the definition, without comment marks; empty if there is none. */
public sealed interface TypeDefinition {

    /** The XDR name. A type that is declared where it is used is called {@code HOLDER.MEMBER}. */
    String name();

    /** The text of the comments beside it. */
    String documentation();

    /** Its position. */
    Span origin();

    /** The members of a struct, or what the arms of a union hold, in stream order; none for other types. */
    default List<Field> members() {
        return List.of();
    }

    /** Finds a member by its name. */
    default Optional<Field> member(String member) {
        return members().stream().filter(field -> field.name().equals(member)).findFirst();
    }

    /** {@code typedef}: another name for a type. */
    record Typedef(String name, XdrType target, String documentation, Span origin) implements TypeDefinition {}

    /**
     * {@code enum}.
     *
     * @param enumerators the values, each with its first name
     * @param aliases further names of these values
     */
    record Enumeration(
            String name, List<Enumerator> enumerators, List<Enumerator> aliases, String documentation, Span origin)
            implements TypeDefinition {

        /** All names of its values. */
        public Stream<Enumerator> withAliases() {
            return Stream.concat(enumerators.stream(), aliases.stream());
        }
    }

    /** {@code struct}. */
    record Structure(String name, List<Field> fields, String documentation, Span origin) implements TypeDefinition {

        @Override
        public List<Field> members() {
            return fields;
        }
    }

    /**
     * {@code union}.
     *
     * @param discriminant int, unsigned int, bool or an enum, possibly by typedefs
     * @param arms the cases, each with the values that select it
     * @param defaultArm its field is empty for {@code default: void}
     */
    record Union(
            String name,
            Field discriminant,
            List<Arm> arms,
            Optional<Arm> defaultArm,
            String documentation,
            Span origin)
            implements TypeDefinition {

        /** The cases, followed by the default arm. */
        public Stream<Arm> allArms() {
            return Stream.concat(arms.stream(), defaultArm.stream());
        }

        /** The arm that a value of the discriminant selects, if any. */
        public Optional<Arm> arm(long value) {
            return arms.stream()
                    .filter(arm -> arm.cases().stream().anyMatch(each -> each.value() == value))
                    .findFirst()
                    .or(() -> defaultArm);
        }

        @Override
        public List<Field> members() {
            return allArms().flatMap(arm -> arm.field().stream()).toList();
        }
    }

    /** One value of an enum; the wire value is a signed 32-bit number. */
    record Enumerator(String name, int value, String documentation) {}

    /** A member of a struct, or a union's discriminant. */
    record Field(String name, XdrType type, String documentation, Span origin) {}

    /** A declaration, and the labels that select it; the default arm has none. */
    record Arm(List<CaseValue> cases, Optional<Field> field, String documentation) {}

    /**
     * A value that selects an arm.
     *
     * @param label its text in the source: the name of an enumerator or constant, or a number
     * @param value its number, signed or unsigned like the discriminant
     */
    record CaseValue(String label, long value) {}
}
