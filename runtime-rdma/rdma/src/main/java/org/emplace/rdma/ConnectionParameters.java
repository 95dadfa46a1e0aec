// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.time.Duration;
import java.util.List;
import org.emplace.rdma.Receives.ReceiveRequest;

/**
 * One side's parameters for a new connection.
 *
 * @param privateData supplies the bytes that are sent to the peer's consumer with the connection request or reply, as
 *     soon as the device is known
 * @param inboundReads the maximum number of RDMA Reads that this side answers at once (IRD); a power of two, as Linux
 *     requires
 * @param outboundReads the maximum number of RDMA Reads that this side has outstanding (ORD); further ones wait
 * @param receives the Receives for the peer's Sends; an initiator must have its own
 * @param timeout time limit for setting up the connection
 * @param keepAlive how long an established connection may be idle before the provider checks whether its peer still
 *     exists. It reports a vanished peer once the network has stopped retransmitting
 */
public record ConnectionParameters(
        PrivateData privateData,
        int inboundReads,
        int outboundReads,
        Receives receives,
        Duration timeout,
        Duration keepAlive) {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** @throws IllegalArgumentException if a number of RDMA Reads is negative */
    public ConnectionParameters {
        if (inboundReads < 0 || outboundReads < 0) {
            throw new IllegalArgumentException("a negative number of RDMA Reads");
        }
    }

    /**
     * Parameters with the connection's own Receives, and a keep-alive of one minute.
     *
     * @param receives posted before the first message can arrive, in this order
     */
    public ConnectionParameters(
            PrivateData privateData,
            int inboundReads,
            int outboundReads,
            List<ReceiveRequest> receives,
            Duration timeout) {
        this(privateData, inboundReads, outboundReads, new Receives.Own(receives), timeout, MINUTE);
    }

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
}
