// SPDX-License-Identifier: Apache-2.0
/** What every emitter writes with: names of the library's classes, literals, Javadoc and the layout of expressions. */
@NullMarked
package org.emplace.compiler.emit.code;

import org.jspecify.annotations.NullMarked;
