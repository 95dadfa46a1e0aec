// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.emplace.compiler.model.TypeDefinition;

/** The class of a type definition. Typedefs without a clause that makes them values, and unions that are {@link JavaType.OptionalData}, have none. */
public sealed interface JavaClass {

    /** The class. */
    JavaName name();

    /** What it is generated from. */
    TypeDefinition definition();

    /** Calls the method for the kind of class that this is. */
    <R> R accept(Visitor<R> visitor);

    /** A method for each kind of class. */
    interface Visitor<R> {
        R enumeration(Enumeration enumeration);

        R openEnumeration(OpenEnumeration enumeration);

        R value(Value value);

        R structure(Structure structure);

        R union(Union union);
    }

    /** An {@code enum}, in either form. */
    sealed interface Enumerated extends JavaClass {

        @Override
        TypeDefinition.Enumeration definition();

        /** The constants of the values that have names, by wire value. */
        Map<Integer, String> constants();

        /** The names of constants that are another name of one, each with the alias that it comes from. */
        Map<String, TypeDefinition.Enumerator> aliases();
    }

    /**
     * An {@code enum}.
     *
     * @param constants by wire value
     * @param aliases the names of constants that are another name of one, each with the alias that it comes from
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
     * An {@code enum} that may have values which its definition does not name, as a sealed interface.
     *
     * @param known the enum inside it of the values that have names
     * @param unknown the record inside it of all others
     * @param constants by wire value
     * @param aliases the names of constants that are another name of one, each with the alias that it comes from
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
     * @param component what it holds
     * @param isText whether it holds text in UTF-8
     * @param bitNames of a set of bits, the class of the enum that has names for them
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
     * @param link if this is the element of a linked list, the number of components before the link, which is no component itself
     * @param isRecursive whether its values can hold values of the same type
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

        /** From this number of components on, nobody wants to repeat all of them to change one. */
        private static final int LARGE = 5;

        /** Whether it has a method for each component that changes this one. */
        public boolean hasWithers() {
            return components.size() >= LARGE;
        }

        /** Whether it is the element of a list whose link precedes other members. On the wire these follow the whole rest of the list. */
        public boolean isAroundLink() {
            return link.isPresent() && link.getAsInt() < components.size();
        }

        /** The components before the link. */
        public List<Component> beforeLink() {
            return components.subList(0, link.orElseThrow());
        }

        /** The components behind the link. */
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
     * @param isRecursive whether its values can hold values of the same type
     */
    record Union(
            JavaName name,
            TypeDefinition.Union definition,
            Discriminant discriminant,
            List<UnionArm> arms,
            boolean isRecursive)
            implements JavaClass {

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.union(this);
        }
    }
}
