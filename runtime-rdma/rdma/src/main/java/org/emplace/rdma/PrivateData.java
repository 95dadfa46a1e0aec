// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

/**
 * The bytes that one side sends to its peer's consumer during connection set-up. They may depend on the device, which
 * an initiator knows only when the address is resolved, and a listener when the request has arrived. Their meaning is
 * up to the two consumers; RPC-over-RDMA sends those of RFC 8797.
 */
@FunctionalInterface
public interface PrivateData {

    /**
     * Returns the bytes to send. Called once for each connection, on any thread, as soon as the device is known; must
     * not block. The provider does not interpret the bytes or modify the array.
     *
     * @param reportsRemoteInvalidation the value that {@link QueuePair#reportsRemoteInvalidation} will have for this
     *     connection; the flag of RFC 8797 section 4 depends on it
     */
    byte[] offer(boolean reportsRemoteInvalidation);

    /**
     * Returns the same bytes for every device.
     *
     * @param bytes copied
     */
    static PrivateData of(byte[] bytes) {
        byte[] copy = bytes.clone();
        return reportsRemoteInvalidation -> copy.clone();
    }
}
