// SPDX-License-Identifier: Apache-2.0
/** Measures Emplace and compares it with other software in the same run: the command {@code benchmarks/run}. */
@NullMarked
package org.emplace.benchmarks;

import org.jspecify.annotations.NullMarked;
