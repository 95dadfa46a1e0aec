// SPDX-License-Identifier: Apache-2.0
/** The programs that run a load against a server, or open connections to it, and their kinds of clients. */
@NullMarked
package org.emplace.benchmarks.client;

import org.jspecify.annotations.NullMarked;
