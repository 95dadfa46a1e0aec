// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.Map;
import org.emplace.compiler.model.XdrType.Primitive;

/**
 * The discriminant of a union.
 *
 * @param enumConstants Java constants by wire value; empty where the discriminant is no enum
 * @param isOpen whether it is an enum that may have other values than these
 */
public record Discriminant(Component component, Map<Integer, String> enumConstants, boolean isOpen) {

    /** The name of its component. */
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

    /** Whether a switch over so many of its values needs no default. */
    public boolean isExhaustedBy(long distinctValues) {
        return !enumConstants.isEmpty() && !isOpen && distinctValues == enumConstants.size();
    }

    private boolean is(Primitive primitive) {
        return component.type() instanceof JavaType.Scalar scalar && scalar.primitive() == primitive;
    }
}
