// SPDX-License-Identifier: Apache-2.0
/** The baseline: the same bytes over blocking NIO sockets with direct buffers, and no protocol. */
@NullMarked
package org.emplace.benchmarks.raw;

import org.jspecify.annotations.NullMarked;
