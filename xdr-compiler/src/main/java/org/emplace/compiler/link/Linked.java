// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.util.List;
import org.emplace.compiler.model.Protocol;

/** The linker's result: the checked protocol, and the clauses that stood in its files. */
public record Linked(Protocol protocol, List<PlacedClause> clauses) {}
