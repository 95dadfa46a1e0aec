// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.util.concurrent.CompletionStage;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.xdr.Payload;

/** A payload in memory that the peer exposes. RDMA Reads can place it in registered memory. */
public interface ExposedPayload extends Payload {

    /** Whether the connection to the peer can place the bytes in this memory. */
    boolean isReadableInto(RdmaMemory memory);

    /**
     * Like {@link Payload#fetchInto}, with registered memory.
     *
     * @param sink has the payload's length, and stays registered until the stage completes
     */
    CompletionStage<Void> fetchInto(MemorySegment sink);
}
