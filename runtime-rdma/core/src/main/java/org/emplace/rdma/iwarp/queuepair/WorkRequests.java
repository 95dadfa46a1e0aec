// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import java.util.List;
import java.util.OptionalInt;
import org.emplace.rdma.Completion;
import org.emplace.rdma.Completion.Operation;
import org.emplace.rdma.Completion.Status;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.iwarp.memory.Region;

/** Questions that every kind of work request answers. */
final class WorkRequests {
    private WorkRequests() {}

    /** @throws IllegalArgumentException if another provider registered its memory, or it is to fill read-only memory */
    static void check(WorkRequest request) {
        if (request instanceof WorkRequest.Read read) {
            Region.ofSink(read.sink());
        } else {
            memory(request).forEach(Region::of);
        }
    }

    /** The local memory that a request names. */
    static List<MemorySegment> memory(WorkRequest request) {
        if (request instanceof WorkRequest.Send send) {
            return send.gather();
        } else if (request instanceof WorkRequest.Write write) {
            return write.gather();
        }
        return List.of(((WorkRequest.Read) request).sink());
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
        return segments.stream().mapToLong(MemorySegment::length).sum();
    }

    /** The completion of a request that did not succeed. */
    static Completion ended(WorkRequest request, Status status) {
        return new Completion(request.id(), operation(request), status, 0, OptionalInt.empty());
    }
}
