// SPDX-License-Identifier: Apache-2.0
/** For comparison: DaRPC on DiSNI, remote procedure calls over verbs in Java. */
@NullMarked
package org.emplace.benchmarks.darpc;

import org.jspecify.annotations.NullMarked;
