// SPDX-License-Identifier: Apache-2.0
/**
 * RPC-over-RDMA version 1 (RFC 8166) with the connection private data of RFC 8797, as a transport of {@code org.emplace.rpc}
 * over any {@link org.emplace.rdma.RdmaProvider}. Users name it by the scheme {@code rdma}.
 *
 * <p>A connection has a requester and a responder at either end. Forward-direction messages move bulk data by chunks; messages of the
 * backward direction travel inline only (RFC 8167).
 *
 * <p>This package sets connections up and sorts what comes in. Below it, each knowing only those after it: {@code requester} and
 * {@code responder}, which do not know each other; {@code link}, what the two share; {@code memory}; {@code header}.
 */
@NullMarked
package org.emplace.rpcrdma;

import org.jspecify.annotations.NullMarked;
