// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.List;
import java.util.Optional;
import org.emplace.compiler.source.Span;

/** A type in the source, without the bounds that follow the declared name. */
public sealed interface TypeSyntax {

    /** Where it is. */
    Span span();

    /** A type with a keyword of its own. */
    record Builtin(Keyword keyword, Span span) implements TypeSyntax {}

    /** A type by its name. A tag such as {@code struct} in {@code struct foo} states its kind. */
    record Named(Name name, Tag tag) implements TypeSyntax {
        @Override
        public Span span() {
            return name.span();
        }
    }

    /** The body of a struct. */
    record Structure(List<Declaration> members, Span span) implements TypeSyntax {}

    /** The body of a union. */
    record Union(Declaration discriminant, List<Arm> arms, Optional<Declaration> defaultArm, Span span)
            implements TypeSyntax {}

    /** The body of an enum. */
    record Enumeration(List<Enumerator> enumerators, Span span) implements TypeSyntax {}

    /** The keywords of types. {@code long}, {@code short} and {@code char} are rpcgen's, and 32 bits wide on the wire. */
    enum Keyword {
        VOID,
        INT,
        UNSIGNED_INT,
        HYPER,
        UNSIGNED_HYPER,
        FLOAT,
        DOUBLE,
        QUADRUPLE,
        BOOL,
        OPAQUE,
        STRING
    }

    /** The kind of type that a reference states. */
    enum Tag {
        ANY,
        STRUCT,
        UNION,
        ENUM
    }

    /** A group of cases of a union with their declaration. */
    record Arm(List<Value> cases, Declaration body) {}

    /** A value of an enum. Without a number it is one more than the value before it, as in C. */
    record Enumerator(Name name, Optional<Value> value, List<Clause> clauses, String documentation) {}
}
