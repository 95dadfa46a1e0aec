// SPDX-License-Identifier: Apache-2.0
/** The cost of the verbs provider's native methods. */
@NullMarked
package org.emplace.benchmarks.verbs;

import org.jspecify.annotations.NullMarked;
