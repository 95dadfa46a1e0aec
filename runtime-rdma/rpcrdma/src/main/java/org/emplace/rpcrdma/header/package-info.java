// SPDX-License-Identifier: Apache-2.0
/**
 * What stands before an RPC message: the header of RPC-over-RDMA version 1 with its chunk lists, as values, encoded and decoded (RFC 5666bis
 * section 5), and the private data that settles how large a message may be (RFC 8797). Knows the form of chunks, but not the memory behind
 * them. The types that the compiler makes of {@code rpcrdma1.x} are used nowhere else.
 */
@NullMarked
package org.emplace.rpcrdma.header;

import org.jspecify.annotations.NullMarked;
