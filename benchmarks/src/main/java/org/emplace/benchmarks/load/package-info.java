// SPDX-License-Identifier: Apache-2.0
/** The work that a client is given and its result. Processes exchange both as lines of text. */
@NullMarked
package org.emplace.benchmarks.load;

import org.jspecify.annotations.NullMarked;
