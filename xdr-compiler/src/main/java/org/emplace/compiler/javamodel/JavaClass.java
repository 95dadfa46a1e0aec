// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.List;
import java.util.Map;
import org.emplace.compiler.model.TypeDefinition;

/** The class of a type definition. Typedefs, and unions that are {@link JavaType.OptionalData}, have none. */
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

        R structure(Structure structure);

        R union(Union union);
    }

    /**
     * An {@code enum}.
     *
     * @param constants by wire value
     */
    record Enumeration(JavaName name, TypeDefinition.Enumeration definition, Map<Integer, String> constants)
            implements JavaClass {

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.enumeration(this);
        }
    }

    /**
     * A {@code struct}, as a record.
     *
     * @param isListElement whether it is the element of a linked list, so that its link is no component
     * @param isRecursive whether its values can hold values of the same type
     */
    record Structure(
            JavaName name,
            TypeDefinition.Structure definition,
            List<Component> components,
            boolean isListElement,
            boolean isRecursive)
            implements JavaClass {

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
