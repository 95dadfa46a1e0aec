// SPDX-License-Identifier: Apache-2.0
/** Compares versions of a protocol: do peers with the old and the new one work together? */
@NullMarked
package org.emplace.compiler.compare;

import org.jspecify.annotations.NullMarked;
