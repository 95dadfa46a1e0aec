// SPDX-License-Identifier: Apache-2.0
/** The program that puts a load on a server, and the kinds of clients that it can be. */
@NullMarked
package org.emplace.benchmarks.client;

import org.jspecify.annotations.NullMarked;
