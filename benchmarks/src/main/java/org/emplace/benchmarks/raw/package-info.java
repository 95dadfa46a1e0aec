// SPDX-License-Identifier: Apache-2.0
/** The yardstick: the same bytes through blocking NIO sockets and direct buffers, with nothing around them. */
@NullMarked
package org.emplace.benchmarks.raw;

import org.jspecify.annotations.NullMarked;
