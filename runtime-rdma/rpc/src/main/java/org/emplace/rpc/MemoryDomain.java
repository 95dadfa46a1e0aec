// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.nio.ByteBuffer;

/** Where memory is registered. It outlives connections: memory registered here serves every connection of the same transport. */
public interface MemoryDomain {

    /**
     * Registers memory for direct placement. Over TCP this costs nothing and changes nothing.
     *
     * @param direct the bytes between its position and limit
     * @throws IllegalArgumentException if the buffer is not direct, or read-only
     * @throws RpcException if the system refuses; the message names the limit and the fix
     */
    RegisteredBuffer register(ByteBuffer direct) throws RpcException;
}
