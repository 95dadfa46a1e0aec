// SPDX-License-Identifier: Apache-2.0
/** Judges generated code: what it puts on the wire, what it refuses, and how it compiles. */
@NullMarked
package org.emplace.tests.codegen;

import org.jspecify.annotations.NullMarked;
