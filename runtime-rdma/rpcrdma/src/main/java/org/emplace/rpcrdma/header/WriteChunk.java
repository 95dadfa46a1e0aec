// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import java.util.List;
import org.emplace.rdma.RemoteAccess.RemoteSegment;

/**
 * A Write chunk or the Reply chunk (RFC 8166 section 4.3).
 *
 * @param segments those that a requester provides, or that a responder returns with the lengths that it has written;
 *     filled from the first one on
 */
public record WriteChunk(List<RemoteSegment> segments) {

    /** Copies the list. */
    public WriteChunk {
        segments = List.copyOf(segments);
    }

    /** The total length of the segments in bytes. */
    public long length() {
        return RemoteSegment.total(segments);
    }

    /** Returns this chunk as a responder returns it after writing {@code used} bytes, from the first segment on. */
    public WriteChunk filled(long used) {
        RemoteSegment[] returned = new RemoteSegment[segments.size()];
        long left = used;
        for (int i = 0; i < returned.length; i++) {
            RemoteSegment offered = segments.get(i);
            long taken = Math.min(left, offered.length());
            returned[i] = new RemoteSegment(offered.stag(), offered.offset(), taken);
            left -= taken;
        }
        return new WriteChunk(List.of(returned));
    }
}
