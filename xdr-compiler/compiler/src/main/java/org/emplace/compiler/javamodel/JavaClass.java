// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType.Primitive;


/**
 * The class of a type definition. Two kinds of definitions have no class: typedefs that are not types of their own, and unions that are {@link
 * JavaType.OptionalData}.
 */
public sealed interface JavaClass {

    /** The name of the class. */
    JavaName name();

    /** The definition that it is generated from. */
    TypeDefinition definition();

    /** Calls the visitor's method for this kind of class. */
    <R> R accept(Visitor<R> visitor);

    /** A method for each kind of class. */
    interface Visitor<R> {
        R enumeration(Enumeration enumeration);

        R openEnumeration(OpenEnumeration enumeration);

        R value(Value value);

        R structure(Structure structure);

        R union(Union union);
    }

    /** An {@code enum}, closed or open. */
    sealed interface Enumerated extends JavaClass {

        @Override
        TypeDefinition.Enumeration definition();

        /** The constants of the named values, by wire value. */
        Map<Integer, String> constants();

        /** The aliases of constants by their Java names. */
        Map<String, TypeDefinition.Enumerator> aliases();
    }

    /**
     * A closed {@code enum}.
     *
     * @param constants by wire value
     * @param aliases the aliases of constants by their Java names
     */
    record Enumeration(
            JavaName name,
            TypeDefinition.Enumeration definition,
            Map<Integer, String> constants,
            Map<String, TypeDefinition.Enumerator> aliases)
            implements Enumerated {

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.enumeration(this);
        }
    }

    /**
     * An {@code enum} that may have values without a name, as a sealed interface.
     *
     * @param known the nested enum of the values with names
     * @param unknown the nested record of all other values
     * @param constants by wire value
     * @param aliases the aliases of constants by their Java names
     */
    record OpenEnumeration(
            JavaName name,
            JavaName known,
            JavaName unknown,
            TypeDefinition.Enumeration definition,
            Map<Integer, String> constants,
            Map<String, TypeDefinition.Enumerator> aliases)
            implements Enumerated {

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.openEnumeration(this);
        }
    }

    /**
     * A {@code typedef} that is a type of its own, as a record.
     *
     * @param component what the record holds
     * @param isText whether it holds text in UTF-8
     * @param bitNames for a set of bits, the class of the enum that names them
     */
    record Value(
            JavaName name,
            TypeDefinition.Typedef definition,
            Component component,
            boolean isText,
            Optional<JavaName> bitNames)
            implements JavaClass {

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.value(this);
        }
    }

    /**
     * A {@code struct}, as a record.
     *
     * @param link for the element of a linked list, the number of components before the link; the link itself is not a component
     * @param isRecursive whether its values can contain values of the same type
     */
    record Structure(
            JavaName name,
            TypeDefinition.Structure definition,
            List<Component> components,
            OptionalInt link,
            boolean isRecursive)
            implements JavaClass {

        /** The nested class that holds the components before the link. */
        public static final String BEFORE_LINK = "BeforeLink";

        /** From this number of components on, a record has methods that change one component, because repeating all others is tedious. */
        private static final int LARGE = 5;

        /** The component for the member with this XDR name. */
        public Component component(String member) {
            return components.stream()
                    .filter(each -> each.field().name().equals(member))
                    .findFirst()
                    .orElseThrow();
        }

        /** Whether it has a method for each component that returns a copy with another value. */
        public boolean hasWithers() {
            return components.size() >= LARGE;
        }

        /** Whether it is the element of a list whose link precedes other members. In a message, these follow the whole rest of the list. */
        public boolean isAroundLink() {
            return link.isPresent() && link.getAsInt() < components.size();
        }

        /** The components before the link. */
        public List<Component> beforeLink() {
            return components.subList(0, link.orElseThrow());
        }

        /** The components after the link. */
        public List<Component> afterLink() {
            return components.subList(link.orElseThrow(), components.size());
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.structure(this);
        }
    }

    /**
     * A {@code union}, as a sealed interface.
     *
     * @param isRecursive whether its values can contain values of the same type
     */
    record Union(
            JavaName name,
            TypeDefinition.Union definition,
            Discriminant discriminant,
            List<UnionArm> arms,
            boolean isRecursive)
            implements JavaClass {

        /** The arm that holds the member with this XDR name. */
        public UnionArm arm(String member) {
            return arms.stream()
                    .filter(each -> each.value()
                            .filter(value -> value.field().name().equals(member))
                            .isPresent())
                    .findFirst()
                    .orElseThrow();
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.union(this);
        }
    }

    /**
     * The discriminant of a union.
     *
     * @param enumConstants the Java constants by wire value; empty if the discriminant is not an enum
     * @param isOpen whether it is an enum that may have other values
     */
    record Discriminant(Component component, Map<Integer, String> enumConstants, boolean isOpen) {

        /** The name of the component. */
        public String name() {
            return component.name();
        }

        /** Whether it is a {@code bool}. */
        public boolean isBoolean() {
            return is(Primitive.BOOL);
        }

        /** Whether it is an {@code unsigned int}. */
        public boolean isUnsigned() {
            return is(Primitive.UNSIGNED_INT);
        }

        /** Whether a switch with this number of distinct values needs no default. */
        public boolean isExhaustedBy(long distinctValues) {
            return !enumConstants.isEmpty() && !isOpen && distinctValues == enumConstants.size();
        }

        private boolean is(Primitive primitive) {
            return component.type() instanceof JavaType.Scalar scalar && scalar.primitive() == primitive;
        }
    }
}
