// SPDX-License-Identifier: Apache-2.0
/**
 * Random protocols, random values of their types, and the generated code, compiled and loaded. A seed determines everything: the same seed gives the
 * same protocols and values.
 */
@NullMarked
package org.emplace.tests.codegen.random;

import org.jspecify.annotations.NullMarked;
