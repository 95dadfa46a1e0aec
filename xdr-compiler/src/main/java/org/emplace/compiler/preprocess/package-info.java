// SPDX-License-Identifier: Apache-2.0
/**
 * The C preprocessor as protocol definitions use it: directives, object-like macros, included files, and the lines that rpcgen copies to its output.
 * Between {@code source} and {@code syntax}: it reports diagnostics, which refer to the former.
 */
@NullMarked
package org.emplace.compiler.preprocess;

import org.jspecify.annotations.NullMarked;
