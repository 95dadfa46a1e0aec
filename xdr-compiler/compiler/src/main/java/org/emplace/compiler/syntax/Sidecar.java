// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.List;

/** A file of clauses beside an XDR file. */
public record Sidecar(String file, List<Entry> entries) {

    /** The clauses for one definition. */
    public record Entry(Kind kind, List<Name> path, List<Clause> clauses) {}

    /** The kind of definition that an entry is for. */
    public enum Kind {
        ITEM,
        PROCEDURE,
        VERSION,
        TYPE,
        CONSTANT
    }
}
