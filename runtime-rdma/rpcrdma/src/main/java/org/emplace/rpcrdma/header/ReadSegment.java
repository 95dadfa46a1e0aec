// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import org.emplace.rdma.RemoteSegment;

/**
 * An entry of a Read list.
 *
 * @param position the offset of the chunk in the unreduced RPC message, from its xid on; 0 for the message itself
 * @param target the memory to read
 */
public record ReadSegment(long position, RemoteSegment target) {}
