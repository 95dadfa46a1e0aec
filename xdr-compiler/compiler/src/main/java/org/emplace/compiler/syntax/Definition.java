// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.List;

/** A top-level definition. */
public sealed interface Definition {

    /** The name that it defines. */
    Name name();

    /** {@code const}. */
    record Constant(Name name, Value value, List<Clause> clauses, String documentation) implements Definition {}

    /** {@code typedef}. */
    record Typedef(Declaration declaration) implements Definition {
        @Override
        public Name name() {
            return declaration.name();
        }
    }

    /** {@code struct}, {@code union} or {@code enum}. */
    record Type(Name name, TypeSyntax body, List<Clause> clauses, String documentation) implements Definition {}

    /** {@code program}. */
    record Program(Name name, Value number, List<Version> versions, String documentation) implements Definition {}

    /** A version of a program. */
    record Version(Name name, Value number, List<Procedure> procedures, List<Clause> clauses, String documentation) {}

    /**
     * A procedure of a version. Its arguments include {@code void}. Without a name, arguments are called {@code arg1}, {@code arg2}, and results
     * {@code result}.
     */
    record Procedure(
            Name name,
            Value number,
            Declaration result,
            List<Declaration> arguments,
            List<Clause> clauses,
            String documentation) {}
}
