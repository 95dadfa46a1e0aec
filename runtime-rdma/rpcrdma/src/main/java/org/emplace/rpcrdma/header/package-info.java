// SPDX-License-Identifier: Apache-2.0
/**
 * What stands before an RPC message: the header of RPC-over-RDMA version 1 with its chunk lists, as values, encoded and decoded (RFC 8166
 * section 4), and the private data that settles how large a message may be (RFC 8797). Knows the form of chunks, but not the memory behind
 * them. The header is coded by hand; only a test uses the types generated from {@code rpcrdma1.x}.
 */
@NullMarked
package org.emplace.rpcrdma.header;

import org.jspecify.annotations.NullMarked;
