// SPDX-License-Identifier: Apache-2.0
/** What the native edge of the verbs provider costs. */
@NullMarked
package org.emplace.benchmarks.verbs;

import org.jspecify.annotations.NullMarked;
