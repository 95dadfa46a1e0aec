// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.nio.ByteBuffer;

/**
 * Registers memory for a transport. Registered memory can be used with every connection of the transport and outlives
 * each of them. {@link RpcConnection#memory} returns the domain.
 */
public interface MemoryDomain {

    /**
     * Registers memory for direct placement. Over TCP this has no cost and no effect.
     *
     * @param direct a direct buffer, whose bytes between position and limit are registered
     * @return the registered memory, which the caller closes when no call uses it any longer
     * @throws IllegalArgumentException if the buffer is not direct, or is read-only
     * @throws RpcException of kind NO_RESOURCES if the system does not pin the memory; the message names the limit and
     *     how to raise it
     */
    RegisteredBuffer register(ByteBuffer direct) throws RpcException;
}
