// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.List;

/** A file of clauses that stands beside an XDR file. */
public record Sidecar(String file, List<Entry> entries) {

    /** The clauses of one thing. */
    public record Entry(Kind kind, List<Name> path, List<Clause> clauses) {}

    /** What an entry speaks of. */
    public enum Kind {
        ITEM,
        PROCEDURE,
        VERSION,
        TYPE,
        CONSTANT
    }
}
