// SPDX-License-Identifier: Apache-2.0
/** The command {@code xdrc}. */
@NullMarked
package org.emplace.compiler.cli;

import org.jspecify.annotations.NullMarked;
