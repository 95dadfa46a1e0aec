// SPDX-License-Identifier: Apache-2.0
/** RDMA on one thread by a clock of its own: a provider whose every step is an event, in an order that a seed decides. */
@NullMarked
package org.emplace.rpcrdma.simulation;

import org.jspecify.annotations.NullMarked;
