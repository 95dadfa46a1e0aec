// SPDX-License-Identifier: Apache-2.0
/** The program that clients put a load on. */
@NullMarked
package org.emplace.benchmarks.server;

import org.jspecify.annotations.NullMarked;
