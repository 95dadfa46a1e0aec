// SPDX-License-Identifier: Apache-2.0
/** The program that runs a load against a server, and its kinds of clients. */
@NullMarked
package org.emplace.benchmarks.client;

import org.jspecify.annotations.NullMarked;
