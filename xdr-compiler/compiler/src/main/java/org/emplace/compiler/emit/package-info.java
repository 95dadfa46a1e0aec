// SPDX-License-Identifier: Apache-2.0
/** Java sources from the Java model, one class per construct. The page docs/generated-code.md describes the generated code. */
@NullMarked
package org.emplace.compiler.emit;

import org.jspecify.annotations.NullMarked;
