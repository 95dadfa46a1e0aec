// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import org.emplace.rdma.RemoteSegment;

/**
 * An entry of a Read list.
 *
 * @param position where the segment's chunk belongs in the unreduced RPC message, counted from its xid; 0 for the message itself
 * @param target the memory to read
 */
public record ReadSegment(long position, RemoteSegment target) {}
