// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import org.emplace.xdr.Payload;

/**
 * Memory registered for direct placement by {@link MemoryDomain#register}. {@link #close} deregisters the memory but
 * does not free it, so its buffer remains safe to use; the garbage collector frees it. Registration grants no peer
 * access: that is granted for each call.
 */
public interface RegisteredBuffer extends AutoCloseable {

    /** Returns a new view of the registered bytes, with position 0 and limit {@link #length}. */
    ByteBuffer buffer();

    /** The number of registered bytes. */
    int length();

    /**
     * Returns a payload of a range of this memory. A chunk moves the bytes without a copy; inline they are copied. They
     * must not change until the call completes.
     *
     * @param offset start of the range in bytes
     * @param length length of the range in bytes
     * @throws IndexOutOfBoundsException if the range is not within the buffer
     * @throws IllegalStateException if the memory is no longer registered
     */
    Payload payload(int offset, int length);

    /**
     * Puts the bytes of a payload into this memory, like {@link Payload#fetchInto}. If they are still in the peer's
     * memory, an RDMA Read places them without a registration for this payload.
     *
     * @param offset where to put the first byte, from the start of this memory in bytes
     * @return as {@link Payload#fetchInto}
     * @throws IndexOutOfBoundsException if the payload does not fit after the offset
     * @throws IllegalStateException if the memory is no longer registered, or the payload no longer valid
     */
    CompletionStage<Void> fetch(Payload payload, int offset);

    /** Deregisters the memory. Calls in flight that use it fail. Idempotent. */
    @Override
    void close();

    /**
     * Registers memory for a transport. Registered memory can be used with every connection of the transport and outlives
     * each of them. {@link RpcConnection#memory} returns the domain.
     */
    interface MemoryDomain {

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
}
