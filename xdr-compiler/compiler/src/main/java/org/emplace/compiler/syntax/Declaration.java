// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.List;
import java.util.Optional;

/**
 * A declaration of a member, arm, discriminant or typedef. {@code void} is one too; its name is the word itself.
 *
 * @param clauses the binding clauses before it
 * @param documentation the text of the comments beside it
 */
public record Declaration(TypeSyntax type, Shape shape, Name name, List<Clause> clauses, String documentation) {

    /** Whether this is {@code void}. */
    public boolean isVoid() {
        return type instanceof TypeSyntax.Builtin builtin && builtin.keyword() == TypeSyntax.Keyword.VOID;
    }

    /** The symbols around the declared name. */
    public sealed interface Shape {

        /** None. */
        record Plain() implements Shape {}

        /** {@code *x}. */
        record Pointer() implements Shape {}

        /** {@code x[size]}. */
        record Fixed(Value size) implements Shape {}

        /** {@code x<max>}. */
        record Variable(Optional<Value> max) implements Shape {}
    }
}
