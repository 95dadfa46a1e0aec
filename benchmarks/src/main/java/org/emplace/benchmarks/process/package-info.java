// SPDX-License-Identifier: Apache-2.0
/** Servers and clients in their own processes, each asked for one measurement at a time. */
@NullMarked
package org.emplace.benchmarks.process;

import org.jspecify.annotations.NullMarked;
