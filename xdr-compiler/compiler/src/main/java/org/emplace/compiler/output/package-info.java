// SPDX-License-Identifier: Apache-2.0
/** Tracks what earlier runs generated, and so which files may be removed or overwritten. The command and the Maven plugin use it. */
@NullMarked
package org.emplace.compiler.output;

import org.jspecify.annotations.NullMarked;
