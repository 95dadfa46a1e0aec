// SPDX-License-Identifier: Apache-2.0
/**
 * The Java model of a protocol: every class, name, type and shape, computed once before anything is written. {@code emit}, {@code compare} and the
 * limits use it. It does not depend on JavaPoet.
 */
@NullMarked
package org.emplace.compiler.javamodel;

import org.jspecify.annotations.NullMarked;
