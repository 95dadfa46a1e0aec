// SPDX-License-Identifier: Apache-2.0
/** Values of the protocol definitions with known bytes, and calls whose bindings use chunks. */
@NullMarked
package org.emplace.tests.specs;

import org.jspecify.annotations.NullMarked;
