// SPDX-License-Identifier: Apache-2.0
/**
 * A provider that simulates RDMA on one thread with its own clock. Every step is an event, and a seed determines their
 * order.
 */
@NullMarked
package org.emplace.rpcrdma.simulation;

import org.jspecify.annotations.NullMarked;
