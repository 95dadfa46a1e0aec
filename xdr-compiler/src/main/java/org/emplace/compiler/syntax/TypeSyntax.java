// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.List;
import java.util.Optional;
import org.emplace.compiler.source.Span;

/** A type as written, without the bounds that stand after the declared name. */
public sealed interface TypeSyntax {

    /** Where it stands. */
    Span span();

    /** A type that the language has a word for. */
    record Builtin(Keyword keyword, Span span) implements TypeSyntax {}

    /** A type by its name; {@code struct foo} and the like say what it is. */
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

    /** The words for types. {@code long}, {@code short} and {@code char} are rpcgen's, and 32 bits wide on the wire. */
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

    /** What a reference says that it refers to. */
    enum Tag {
        ANY,
        STRUCT,
        UNION,
        ENUM
    }

    /** One case group of a union. */
    record Arm(List<Value> cases, Declaration body) {}

    /** One value of an enum; without a number it follows the one before, as in C. */
    record Enumerator(Name name, Optional<Value> value, List<Clause> clauses, String documentation) {}
}
