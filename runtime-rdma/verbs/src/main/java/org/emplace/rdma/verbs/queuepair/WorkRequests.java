// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.util.List;
import java.util.OptionalInt;
import org.emplace.rdma.Completion;
import org.emplace.rdma.Completion.Operation;
import org.emplace.rdma.Completion.Status;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.RemoteSegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.verbs.memory.VerbsRegion;
import org.jspecify.annotations.Nullable;

/** Questions that every kind of work request answers. */
final class WorkRequests {
    private WorkRequests() {}

    /** The local memory that a request names. */
    static List<MemorySegment> memory(WorkRequest request) {
        if (request instanceof WorkRequest.Send send) {
            return send.gather();
        } else if (request instanceof WorkRequest.Write write) {
            return write.gather();
        }
        return List.of(((WorkRequest.Read) request).sink());
    }

    /** The peer's memory that it names; null for a Send. */
    static @Nullable RemoteSegment remote(WorkRequest request) {
        if (request instanceof WorkRequest.Write write) {
            return write.target();
        }
        return request instanceof WorkRequest.Read read ? read.source() : null;
    }

    /** Its kind. */
    static Operation operation(WorkRequest request) {
        if (request instanceof WorkRequest.Send) {
            return Operation.SEND;
        }
        return request instanceof WorkRequest.Write ? Operation.WRITE : Operation.READ;
    }

    /** Bytes that it names. */
    static long length(WorkRequest request) {
        return total(memory(request));
    }

    static long total(List<MemorySegment> segments) {
        long total = 0;
        for (MemorySegment segment : segments) {
            total += segment.length();
        }
        return total;
    }

    /** The completion of a request. */
    static Completion ended(WorkRequest request, Status status, int length) {
        return new Completion(request.id(), operation(request), status, length, OptionalInt.empty());
    }

    /**
     * How a request cannot be meant for this provider at all, in words; null if it can.
     *
     * @param elements that a Send has at most
     * @param invalidation whether the device can send with invalidate
     * @throws IllegalArgumentException if another provider registered its memory, or it is read-only where it is written to
     */
    static @Nullable String misuse(WorkRequest request, int elements, boolean invalidation) {
        List<MemorySegment> memory = memory(request);
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
        for (MemorySegment segment : memory(request)) {
            if (!VerbsRegion.of(segment).isOpen()) {
                return "a work request names deregistered memory";
            }
        }
        if (request instanceof WorkRequest.Write write
                && total(write.gather()) > write.target().length()) {
            return "an RDMA Write is longer than its target";
        }
        if (request instanceof WorkRequest.Read && outboundReads == 0) {
            return "an RDMA Read was posted, but the peer answers none";
        }
        if (request instanceof WorkRequest.Read read
                && read.sink().length() != read.source().length()) {
            return "an RDMA Read's sink is " + read.sink().length() + " bytes, its source "
                    + read.source().length();
        }
        return null;
    }
}
