// SPDX-License-Identifier: Apache-2.0
/**
 * The Java that a protocol becomes: every class, name, type and shape, computed once, before anything is written. Emit, compare and the
 * limits read it. Knows no JavaPoet.
 */
@NullMarked
package org.emplace.compiler.javamodel;

import org.jspecify.annotations.NullMarked;
