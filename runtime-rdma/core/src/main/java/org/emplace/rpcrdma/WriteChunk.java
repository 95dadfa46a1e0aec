// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.util.List;
import java.util.stream.Stream;
import org.emplace.rdma.RemoteSegment;

/** A Write chunk or the Reply chunk: the segments that a requester offers, or that a responder returns with the lengths it used. */
record WriteChunk(List<RemoteSegment> segments) {

    WriteChunk {
        segments = List.copyOf(segments);
    }

    /** The bytes of all segments. */
    long length() {
        return segments.stream().mapToLong(RemoteSegment::length).sum();
    }

    /** The same segments as they are returned when {@code used} bytes were placed, from the first segment on. */
    WriteChunk filled(long used) {
        long[] left = {used};
        Stream<RemoteSegment> returned = segments.stream().map(offered -> {
            long taken = Math.min(left[0], offered.length());
            left[0] -= taken;
            return new RemoteSegment(offered.stag(), offered.offset(), taken);
        });
        return new WriteChunk(returned.toList());
    }
}
