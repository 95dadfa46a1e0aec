// SPDX-License-Identifier: Apache-2.0
/** Whether a changed protocol still works with the old one. */
@NullMarked
package org.emplace.compiler.compare;

import org.jspecify.annotations.NullMarked;
