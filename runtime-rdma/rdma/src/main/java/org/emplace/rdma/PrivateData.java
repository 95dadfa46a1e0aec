// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

/**
 * The bytes that one side hands to its peer's consumer while a connection is set up. They may depend on the device. A client does not know it
 * before the address is resolved, nor a server before the request has arrived.
 */
@FunctionalInterface
public interface PrivateData {

    /**
     * The bytes to send. Called once for each connection, as soon as the device is known, on any thread; must not block. Not interpreted
     * by the provider, which leaves the returned array alone.
     *
     * @param reportsRemoteInvalidation what {@link QueuePair#reportsRemoteInvalidation} will say of this connection's queue pair; RFC 8797
     *     makes this side's offer depend on it
     */
    byte[] offer(boolean reportsRemoteInvalidation);

    /** The same bytes for every device. */
    static PrivateData of(byte[] bytes) {
        byte[] copy = bytes.clone();
        return reportsRemoteInvalidation -> copy.clone();
    }
}
