// SPDX-License-Identifier: Apache-2.0
/** Classes for the types of a protocol. */
@NullMarked
package org.emplace.compiler.emit.types;

import org.jspecify.annotations.NullMarked;
