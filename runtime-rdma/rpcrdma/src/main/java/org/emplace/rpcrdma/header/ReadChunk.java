// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import java.util.List;
import org.emplace.rdma.RemoteAccess.RemoteSegment;

/**
 * The segments of a Read list with the same position: one data item, or the message itself (RFC 8166 section 3.4.5).
 *
 * @param position the offset of the item in the unreduced RPC message, from its xid on; 0 for the message itself
 * @param segments the memory to read, in list order
 */
public record ReadChunk(long position, List<RemoteSegment> segments) {

    /** Copies the list. */
    public ReadChunk {
        segments = List.copyOf(segments);
    }

    /** The total length of the segments in bytes, which may include the item's padding. */
    public long length() {
        return RemoteSegment.total(segments);
    }
}
