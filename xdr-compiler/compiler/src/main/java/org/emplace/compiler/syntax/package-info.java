// SPDX-License-Identifier: Apache-2.0
/** The parser: from text to syntax records with positions, by ANTLR. It resolves no names. */
@NullMarked
package org.emplace.compiler.syntax;

import org.jspecify.annotations.NullMarked;
