// SPDX-License-Identifier: Apache-2.0
/** Java sources from the checked model: one class per construct. What they look like is docs/generated-code.md. */
@NullMarked
package org.emplace.compiler.emit;

import org.jspecify.annotations.NullMarked;
