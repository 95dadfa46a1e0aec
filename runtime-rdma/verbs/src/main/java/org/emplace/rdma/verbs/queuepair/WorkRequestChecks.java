// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.util.List;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.RemoteSegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.provider.WorkRequestRules;
import org.emplace.rdma.verbs.memory.VerbsRegion;
import org.jspecify.annotations.Nullable;

/** What is asked of every work request. */
final class WorkRequestChecks {
    private WorkRequestChecks() {}

    /** The peer's memory that it names; null for a Send. */
    static @Nullable RemoteSegment remote(WorkRequest request) {
        if (request instanceof WorkRequest.Write write) {
            return write.target();
        }
        return request instanceof WorkRequest.Read read ? read.source() : null;
    }

    /**
     * How a request cannot be meant for this provider at all, in words; null if it can.
     *
     * @param elements that a Send has at most
     * @param invalidation whether the device can send with invalidate
     * @throws IllegalArgumentException if another provider registered its memory, or it is read-only where it is written to
     */
    static @Nullable String misuse(WorkRequest request, int elements, boolean invalidation) {
        List<MemorySegment> memory = request.memory();
        memory.forEach(request instanceof WorkRequest.Read ? VerbsRegion::ofSink : VerbsRegion::of);
        if (request instanceof WorkRequest.Send send) {
            if (memory.size() > elements) {
                return "a Send of " + memory.size() + " pieces; the device gathers " + elements + " at most";
            }
            if (send.invalidate().isPresent() && !invalidation) {
                return "the device cannot send with invalidate";
            }
        }
        return null;
    }

    /**
     * What is wrong with a request when its turn comes, in words; null if nothing is.
     *
     * @param outboundReads that the peer answers
     */
    static @Nullable String mistake(WorkRequest request, int outboundReads) {
        for (MemorySegment segment : request.memory()) {
            if (!VerbsRegion.of(segment).isOpen()) {
                return "a work request names deregistered memory";
            }
        }
        return WorkRequestRules.broken(request, outboundReads);
    }
}
