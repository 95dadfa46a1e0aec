// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.time.Duration;
import java.util.List;

/**
 * What one side offers when a connection is set up.
 *
 * @param privateData passed to the peer's consumer with the connection request or reply; requested once the device is known
 * @param inboundReads how many RDMA Reads of the peer this side answers at a time (IRD); a power of two
 * @param outboundReads how many RDMA Reads this side has outstanding at a time (ORD); further ones wait
 * @param receives the Receives for the peer's Sends; an initiator must have its own
 * @param timeout limit for the whole set-up
 * @param keepAlive how long an established connection may stay idle until the provider checks whether its peer has vanished, and reports it; iWARP
 *     adapters do not check
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

    /** With Receives of the connection's own, posted before the first message can arrive; an idle peer is probed after a minute. */
    public ConnectionParameters(
            PrivateData privateData,
            int inboundReads,
            int outboundReads,
            List<ReceiveRequest> receives,
            Duration timeout) {
        this(privateData, inboundReads, outboundReads, new Receives.Own(receives), timeout, MINUTE);
    }
}
