// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import org.emplace.rdma.RdmaException;

/** Where the buffers of outgoing messages come from. Safe for use by several threads. */
public interface MessageBuffers {

    /**
     * Takes a buffer of at least {@code size} bytes, contents undefined, for a message or for a copy of what it carries.
     *
     * @throws RdmaException with reason NO_RESOURCES if there is none, or none that the message may have
     */
    PooledBuffer messageBuffer(int size) throws RdmaException;
}
