// SPDX-License-Identifier: Apache-2.0
/**
 * RPC-over-RDMA version 1 (RFC 8166) with the connection private data of RFC 8797, as a transport of {@code
 * org.emplace.rpc} over any {@link org.emplace.rdma.RdmaProvider}. Its addresses have the scheme {@code rdma}.
 *
 * <p>Each end of a connection has a requester and a responder. Messages in forward direction move bulk data as
 * chunks; messages in the backward direction are always inline (RFC 8167).
 *
 * <p>This package sets up connections and passes received messages to the requester or the responder. Each of the
 * packages below depends only on later ones: {@code requester} and {@code responder}, which are independent of each
 * other; {@code link}, which the two share; {@code memory}; {@code header}.
 *
 * <p>Nothing but the lookup of services uses this module.
 */
@NullMarked
package org.emplace.rpcrdma;

import org.jspecify.annotations.NullMarked;
