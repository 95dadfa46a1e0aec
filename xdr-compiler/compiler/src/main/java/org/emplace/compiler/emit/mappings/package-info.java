// SPDX-License-Identifier: Apache-2.0
/** How values of each type of the Java model are encoded and decoded. */
@NullMarked
package org.emplace.compiler.emit.mappings;

import org.jspecify.annotations.NullMarked;
