// SPDX-License-Identifier: Apache-2.0
/** Source files and positions in them. */
@NullMarked
package org.emplace.compiler.source;

import org.jspecify.annotations.NullMarked;
