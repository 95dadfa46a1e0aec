// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.List;
import java.util.Optional;

/**
 * A declared member, arm, discriminant or typedef; {@code void} too, whose name is the word itself.
 *
 * @param clauses what the binding says of it
 * @param documentation the text of the comments beside it
 */
public record Declaration(TypeSyntax type, Shape shape, Name name, List<Clause> clauses, String documentation) {

    /** Whether this is {@code void}. */
    public boolean isVoid() {
        return type instanceof TypeSyntax.Builtin builtin && builtin.keyword() == TypeSyntax.Keyword.VOID;
    }

    /** What stands around the declared name. */
    public sealed interface Shape {

        /** Nothing. */
        record Plain() implements Shape {}

        /** {@code *x}. */
        record Pointer() implements Shape {}

        /** {@code x[size]}. */
        record Fixed(Value size) implements Shape {}

        /** {@code x<max>}. */
        record Variable(Optional<Value> max) implements Shape {}
    }
}
