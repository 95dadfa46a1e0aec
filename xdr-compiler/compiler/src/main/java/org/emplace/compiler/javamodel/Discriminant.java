// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.Map;
import org.emplace.compiler.model.XdrType.Primitive;

/**
 * The discriminant of a union.
 *
 * @param enumConstants the Java constants by wire value; empty if the discriminant is not an enum
 * @param isOpen whether it is an enum that may have other values
 */
public record Discriminant(Component component, Map<Integer, String> enumConstants, boolean isOpen) {

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
