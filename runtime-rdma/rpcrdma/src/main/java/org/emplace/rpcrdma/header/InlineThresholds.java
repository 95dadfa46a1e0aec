// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

/**
 * The inline thresholds: the length of the largest message of one Send in each direction, including the header (RFC
 * 8166 section 3.3.2).
 *
 * @param send the most bytes that this side sends and the peer can receive
 * @param receive the most bytes that the peer sends and this side can receive
 */
public record InlineThresholds(int send, int receive) {

    /** Returns the thresholds that result from the private data of both sides. */
    public static InlineThresholds of(ConnectionPrivateData ours, ConnectionPrivateData peer) {
        return new InlineThresholds(
                Math.min(ours.sendSize(), peer.receiveSize()), Math.min(ours.receiveSize(), peer.sendSize()));
    }
}
