// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.provider;

import java.util.List;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.WorkRequest;
import org.jspecify.annotations.Nullable;

/** What every provider demands of a work request when its turn comes; one that breaks a rule ends in LOCAL_ERROR. */
public final class WorkRequestRules {
    private WorkRequestRules() {}

    /**
     * What is wrong with a request, in words; null if nothing is.
     *
     * @param outboundReads that the peer answers at a time
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
