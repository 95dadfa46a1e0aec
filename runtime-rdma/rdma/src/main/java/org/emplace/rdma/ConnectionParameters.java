// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.time.Duration;
import java.util.List;

/**
 * What one side offers when a connection is set up.
 *
 * @param privateData handed to the peer's consumer with the connection request or reply; asked for once the device is known
 * @param inboundReads how many RDMA Reads of the peer this side answers at a time (IRD); a power of two
 * @param outboundReads how many RDMA Reads this side has outstanding at a time (ORD); further ones wait
 * @param receives what the peer's Sends go into; an initiator has its own
 * @param timeout bound for the whole set-up
 */
public record ConnectionParameters(
        PrivateData privateData, int inboundReads, int outboundReads, Receives receives, Duration timeout) {

    /** With Receives of the connection's own, posted before the first message can arrive. */
    public ConnectionParameters(
            PrivateData privateData,
            int inboundReads,
            int outboundReads,
            List<ReceiveRequest> receives,
            Duration timeout) {
        this(privateData, inboundReads, outboundReads, new Receives.Own(receives), timeout);
    }
}
