// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import org.emplace.compiler.model.Target;
import org.emplace.compiler.syntax.Clause;

/** A clause that stands in an XDR file, with what it speaks of. */
public record PlacedClause(Target target, Clause clause) {}
