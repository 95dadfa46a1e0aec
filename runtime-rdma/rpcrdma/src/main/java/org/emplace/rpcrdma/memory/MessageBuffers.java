// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import org.emplace.rdma.RdmaException;

/** Provides the buffers of outgoing messages. Safe for use by several threads. */
public interface MessageBuffers {

    /**
     * Returns a buffer of at least {@code size} bytes, with undefined content, for a message or for a copy of its
     * payloads. The caller releases it.
     *
     * @throws RdmaException with reason NO_RESOURCES if there is no memory, or if the message may not have more
     */
    PooledBuffer messageBuffer(int size) throws RdmaException;
}
