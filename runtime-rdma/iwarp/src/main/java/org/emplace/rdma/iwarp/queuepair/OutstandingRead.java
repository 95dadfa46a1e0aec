// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.iwarp.framing.Segment;
import org.emplace.rdma.iwarp.framing.StreamException;
import org.emplace.rdma.iwarp.framing.TerminateCode;

/** An RDMA Read of this side whose response has not arrived completely. Read Response segments are placed only in its sink. */
final class OutstandingRead {
    private final WorkRequest.Read request;
    private final int sinkStag;
    private final long sinkOffset;
    private int received;

    OutstandingRead(WorkRequest.Read request, int sinkStag, long sinkOffset) {
        this.request = request;
        this.sinkStag = sinkStag;
        this.sinkOffset = sinkOffset;
    }

    WorkRequest.Read request() {
        return request;
    }

    int sinkStag() {
        return sinkStag;
    }

    long sinkOffset() {
        return sinkOffset;
    }

    /**
     * The offset in the sink at which a response's segment is placed. Each segment must start where the one before it ended, and the last must end at
     * the sink's end.
     */
    int place(Segment segment) throws StreamException {
        if (segment.stag() != sinkStag) {
            throw StreamException.violation(
                    TerminateCode.DDP_INVALID_STAG,
                    String.format("Read Response for STag %08x, not %08x", segment.stag(), sinkStag));
        }
        int left = request.sink().length() - received;
        if (segment.offset() != sinkOffset + received
                || segment.length() > left
                || segment.last() != (segment.length() == left)) {
            throw StreamException.violation(
                    TerminateCode.DDP_BOUNDS,
                    String.format(
                            "Read Response of %d bytes at offset %d%s does not match the %d bytes that are left of its sink",
                            segment.length(),
                            segment.offset() - sinkOffset,
                            segment.last() ? ", the last," : "",
                            left));
        }
        int place = received;
        received += segment.length();
        return place;
    }
}
