// SPDX-License-Identifier: Apache-2.0
/** The messages of the compiler as values. The caller decides how to print them. */
@NullMarked
package org.emplace.compiler.diagnostic;

import org.jspecify.annotations.NullMarked;
