// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.connection;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.emplace.rdma.verbs.jni.Layout;

/**
 * An event of the connection manager.
 *
 * @param id the connection identifier that it is about; of a connection request, the new one
 * @param listener of a connection request: the identifier that listens
 * @param status 0, a negative error number, or the reason of a rejection
 * @param responderResources RDMA Reads that the peer wants to have outstanding
 * @param initiatorDepth RDMA Reads that the peer answers at a time
 * @param privateData of the peer; on InfiniBand and RoCE with zeros behind it
 */
@SuppressWarnings("ArrayRecordComponent") // opaque bytes that are handed on; nobody compares these records
record CmEvent(
        long id,
        long listener,
        CmEventType type,
        int status,
        int responderResources,
        int initiatorDepth,
        byte[] privateData) {
    private static final int[] EVENT = Layout.of(Layout.EVENT);
    private static final int LONGEST_PRIVATE_DATA = 256;

    /** A buffer for one event. */
    static ByteBuffer buffer() {
        return ByteBuffer.allocateDirect(EVENT[0] + LONGEST_PRIVATE_DATA).order(ByteOrder.nativeOrder());
    }

    /** What C wrote into a {@link #buffer}. */
    static CmEvent read(ByteBuffer bytes) {
        byte[] privateData = new byte[bytes.getInt(EVENT[7])];
        bytes.get(EVENT[0], privateData);
        return new CmEvent(
                bytes.getLong(EVENT[1]),
                bytes.getLong(EVENT[2]),
                CmEventType.of(bytes.getInt(EVENT[3])),
                bytes.getInt(EVENT[4]),
                bytes.getInt(EVENT[5]),
                bytes.getInt(EVENT[6]),
                privateData);
    }
}
