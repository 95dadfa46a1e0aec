// SPDX-License-Identifier: Apache-2.0
/** The costs of idle connections, and of connections with waiting calls. */
@NullMarked
package org.emplace.benchmarks.connections;

import org.jspecify.annotations.NullMarked;
