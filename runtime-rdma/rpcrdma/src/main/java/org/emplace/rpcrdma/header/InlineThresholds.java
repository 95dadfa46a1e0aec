// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

/**
 * The largest messages that one Send carries, header included (RFC 8166 section 3.3.2); each direction has its own.
 *
 * @param send bytes that the peer can receive and this side is willing to send
 * @param receive bytes that this side can receive and the peer is known to be willing to send
 */
public record InlineThresholds(int send, int receive) {

    /** The thresholds that follow from both sides' private data. A peer without any neither tells nor understands sizes. */
    public static InlineThresholds of(ConnectionPrivateData ours, ConnectionPrivateData peer) {
        return new InlineThresholds(
                Math.min(ours.sendSize(), peer.receiveSize()), Math.min(ours.receiveSize(), peer.sendSize()));
    }
}
