// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import java.util.ArrayList;
import java.util.List;
import org.emplace.rdma.RemoteSegment;

/**
 * The segments of a Read list with the same position: one data item, or the message itself (RFC 8166 section 3.4.5).
 *
 * @param position see {@link ReadSegment#position}
 * @param segments the memory to read, in list order
 */
public record ReadChunk(long position, List<RemoteSegment> segments) {

    /** Copies the list. */
    public ReadChunk {
        segments = List.copyOf(segments);
    }

    /**
     * Returns the chunk at a position of a Read list, which need not be sorted. The chunk has no segments if there is
     * none.
     */
    public static ReadChunk at(long position, List<ReadSegment> list) {
        List<RemoteSegment> segments = new ArrayList<>(1);
        for (ReadSegment entry : list) {
            if (entry.position() == position) {
                segments.add(entry.target());
            }
        }
        return new ReadChunk(position, segments);
    }

    /** The total length of the segments in bytes, which may include the item's padding. */
    public long length() {
        return RemoteSegment.total(segments);
    }
}
