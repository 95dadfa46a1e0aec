// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import java.nio.ByteBuffer;

/**
 * The private data that each end sends during connection set-up (RFC 8797 section 4).
 *
 * @param remoteInvalidation whether the sender permits the peer to invalidate its STags by Send with Invalidate
 * @param sendSize length in bytes of the largest message that the sender sends inline; a multiple of 1024
 * @param receiveSize length in bytes of the largest message that the sender receives inline; a multiple of 1024
 */
public record ConnectionPrivateData(boolean remoteInvalidation, int sendSize, int receiveSize) {
    private static final int MAGIC = 0xf6ab0e18;
    private static final int VERSION = 1;
    private static final int REMOTE_INVALIDATION = 1;
    private static final int SIZE = 8;
    private static final int UNIT = 1024;
    private static final int LARGEST = 256 * UNIT;

    /** The values assumed for a peer that sends no private data. */
    static final ConnectionPrivateData NONE = new ConnectionPrivateData(false, UNIT, UNIT);

    /** Returns private data for an inline threshold in bytes, rounded down to a value that the format can express. */
    public static ConnectionPrivateData offering(boolean remoteInvalidation, int inlineThreshold) {
        int size = Math.min(inlineThreshold, LARGEST) / UNIT * UNIT;
        return new ConnectionPrivateData(remoteInvalidation, size, size);
    }

    /**
     * Finds the message in a peer's private data, which may contain other bytes around it. Returns {@link #NONE} if it
     * is not there.
     */
    public static ConnectionPrivateData find(byte[] privateData) {
        ByteBuffer in = ByteBuffer.wrap(privateData);
        for (int at = 0; at + SIZE <= privateData.length; at += Integer.BYTES) {
            if (in.getInt(at) == MAGIC && in.get(at + 4) == VERSION) {
                boolean invalidation = (in.get(at + 5) & REMOTE_INVALIDATION) != 0;
                return new ConnectionPrivateData(invalidation, size(in.get(at + 6)), size(in.get(at + 7)));
            }
        }
        return NONE;
    }

    /** Returns the encoded message. */
    public byte[] encode() {
        return ByteBuffer.allocate(SIZE)
                .putInt(MAGIC)
                .put((byte) VERSION)
                .put((byte) (remoteInvalidation ? REMOTE_INVALIDATION : 0))
                .put((byte) (sendSize / UNIT - 1))
                .put((byte) (receiveSize / UNIT - 1))
                .array();
    }

    private static int size(byte encoded) {
        return ((encoded & 0xff) + 1) * UNIT;
    }

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
}
