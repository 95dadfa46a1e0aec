// SPDX-License-Identifier: Apache-2.0
/**
 * The header of RPC-over-RDMA version 1 with its chunk lists (RFC 8166 section 4), and the private data by which peers
 * agree on inline thresholds (RFC 8797). Independent of the memory of chunks. The header is encoded and decoded by
 * hand; only a test uses the types generated from {@code rpcrdma1.x}.
 *
 * <p>Used by all packages of this transport. Whether a message with such a header is acceptable is decided by them.
 */
@NullMarked
package org.emplace.rpcrdma.header;

import org.jspecify.annotations.NullMarked;
