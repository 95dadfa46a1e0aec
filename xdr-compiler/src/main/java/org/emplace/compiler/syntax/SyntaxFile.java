// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.List;

/** What one XDR file says. */
public record SyntaxFile(String file, List<Definition> definitions) {}
