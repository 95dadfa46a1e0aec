// SPDX-License-Identifier: Apache-2.0
/** What connections cost that do nothing, or whose calls wait. */
@NullMarked
package org.emplace.benchmarks.connections;

import org.jspecify.annotations.NullMarked;
