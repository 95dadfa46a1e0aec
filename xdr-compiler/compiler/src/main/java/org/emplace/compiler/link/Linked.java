// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.util.List;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.syntax.Clause;

/** The result of the linker: the checked protocol, and the clauses in its files. */
public record Linked(Protocol protocol, List<PlacedClause> clauses) {

    /** A clause in an XDR file, with its target. */
    public record PlacedClause(Target target, Clause clause) {}
}
