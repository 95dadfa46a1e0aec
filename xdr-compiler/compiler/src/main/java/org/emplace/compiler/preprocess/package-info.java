// SPDX-License-Identifier: Apache-2.0
/**
 * The part of the C preprocessor that protocol definitions use: directives, macros without parameters, included files, and the lines that rpcgen
 * copies to its output. It lies between {@code source} and {@code syntax}.
 */
@NullMarked
package org.emplace.compiler.preprocess;

import org.jspecify.annotations.NullMarked;
