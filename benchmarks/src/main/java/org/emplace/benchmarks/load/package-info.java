// SPDX-License-Identifier: Apache-2.0
/** What a client is asked to do, and what came of it; both travel between processes as lines of text. */
@NullMarked
package org.emplace.benchmarks.load;

import org.jspecify.annotations.NullMarked;
