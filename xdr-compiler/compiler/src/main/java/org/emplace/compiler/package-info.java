// SPDX-License-Identifier: Apache-2.0
/** The XDR compiler. {@link org.emplace.compiler.XdrCompiler} is its entry point. */
@NullMarked
package org.emplace.compiler;

import org.jspecify.annotations.NullMarked;
