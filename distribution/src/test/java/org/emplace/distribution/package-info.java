// SPDX-License-Identifier: Apache-2.0
/** What the distribution archives contain beside the jars and scripts of other modules, and their tests. */
@NullMarked
package org.emplace.distribution;

import org.jspecify.annotations.NullMarked;
