// SPDX-License-Identifier: Apache-2.0
/** What a transport of RPC messages is: the seam between {@link org.emplace.rpc} and TCP, RPC-over-RDMA or a test's own transport. */
@NullMarked
package org.emplace.rpc.transport;

import org.jspecify.annotations.NullMarked;
