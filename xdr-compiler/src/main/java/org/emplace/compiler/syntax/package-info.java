// SPDX-License-Identifier: Apache-2.0
/** From text to located syntax records, by ANTLR; nothing is resolved here. */
@NullMarked
package org.emplace.compiler.syntax;

import org.jspecify.annotations.NullMarked;
