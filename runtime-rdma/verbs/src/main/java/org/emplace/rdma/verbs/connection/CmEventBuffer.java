// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.connection;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.emplace.rdma.verbs.jni.Librdmacm;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.jni.NativeLayout;
import org.jspecify.annotations.Nullable;

/** Events of the connection manager as C writes them down, one at a time. Used on a loop. */
final class CmEventBuffer {
    private static final int[] EVENT = NativeLayout.of(NativeLayout.EVENT);
    private static final int SIZE = EVENT[0];
    private static final int ID = EVENT[1];
    private static final int LISTENER = EVENT[2];
    private static final int TYPE = EVENT[3];
    private static final int STATUS = EVENT[4];
    private static final int RESPONDER_RESOURCES = EVENT[5];
    private static final int INITIATOR_DEPTH = EVENT[6];
    private static final int PRIVATE_DATA_LENGTH = EVENT[7];
    private static final int LONGEST_PRIVATE_DATA = 256;

    private final ByteBuffer bytes =
            ByteBuffer.allocateDirect(SIZE + LONGEST_PRIVATE_DATA).order(ByteOrder.nativeOrder());

    /** The next event of a channel; null if there is none. */
    @Nullable
    CmEvent next(long channel) throws NativeException {
        if (!Librdmacm.nextEvent(channel, bytes)) {
            return null;
        }
        byte[] privateData = new byte[bytes.getInt(PRIVATE_DATA_LENGTH)];
        bytes.get(SIZE, privateData);
        return new CmEvent(
                bytes.getLong(ID),
                bytes.getLong(LISTENER),
                CmEventType.of(bytes.getInt(TYPE)),
                bytes.getInt(STATUS),
                bytes.getInt(RESPONDER_RESOURCES),
                bytes.getInt(INITIATOR_DEPTH),
                privateData);
    }
}
