// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import org.emplace.compiler.model.Target;
import org.emplace.compiler.syntax.Clause;

/** A clause in an XDR file, with its target. */
public record PlacedClause(Target target, Clause clause) {}
