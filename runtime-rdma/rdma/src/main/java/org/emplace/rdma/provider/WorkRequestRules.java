// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.provider;

import java.util.List;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.WorkRequest;
import org.jspecify.annotations.Nullable;

/**
 * The rules that every provider checks before it starts a work request. One that breaks a rule completes with
 * LOCAL_ERROR.
 */
public final class WorkRequestRules {
    private WorkRequestRules() {}

    /**
     * Describes the rule that a request breaks; null if there is none.
     *
     * @param outboundReads the number of RDMA Reads that the peer answers at a time
     */
    public static @Nullable String broken(WorkRequest request, int outboundReads) {
        List<MemorySegment> memory = request.memory();
        for (int i = 0; i < memory.size(); i++) {
            if (!memory.get(i).region().isOpen()) {
                return "a work request names deregistered memory";
            }
        }
        if (request instanceof WorkRequest.Write write
                && write.length() > write.target().length()) {
            return "an RDMA Write is longer than its target";
        }
        if (request instanceof WorkRequest.Read && outboundReads == 0) {
            return "an RDMA Read was posted, but the peer answers no RDMA Reads";
        }
        if (request instanceof WorkRequest.Read read
                && read.sink().length() != read.source().length()) {
            return "an RDMA Read's sink has " + read.sink().length() + " bytes, but its source "
                    + read.source().length();
        }
        return null;
    }
}
