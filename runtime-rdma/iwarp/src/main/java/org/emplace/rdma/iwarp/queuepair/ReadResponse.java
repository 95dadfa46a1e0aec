// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import java.util.List;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.iwarp.framing.ReadRequest;
import org.emplace.rdma.iwarp.memory.Exposure;
import org.jspecify.annotations.Nullable;

/**
 * The answer that the peer's Read Request is owed.
 *
 * @param source what is read, in use until the response is with TCP; null for a Read of nothing
 */
record ReadResponse(ReadRequest request, @Nullable Exposure source, List<MemorySegment> bytes) {

    /** The response is with TCP. */
    void end() {
        if (source != null) {
            source.end();
        }
    }
}
