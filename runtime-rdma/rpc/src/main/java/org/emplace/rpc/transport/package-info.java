// SPDX-License-Identifier: Apache-2.0
/**
 * The interface between {@link org.emplace.rpc} and transports such as TCP and RPC-over-RDMA, and code that transports
 * share.
 */
@NullMarked
package org.emplace.rpc.transport;

import org.jspecify.annotations.NullMarked;
