// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.time.Duration;
import java.util.List;

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
}
