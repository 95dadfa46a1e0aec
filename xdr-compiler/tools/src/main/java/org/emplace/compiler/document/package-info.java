// SPDX-License-Identifier: Apache-2.0
/** Documents Upper Layer Bindings. */
@NullMarked
package org.emplace.compiler.document;

import org.jspecify.annotations.NullMarked;
