// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.nio.ByteBuffer;
import org.emplace.rdma.verbs.jni.NativeLayout;

/** The fields that send and receive requests share in the layout for C: ids and scatter/gather elements. */
final class RequestLayout {
    private static final int[] ELEMENT = NativeLayout.of(NativeLayout.SCATTER_GATHER);
    static final int ELEMENT_SIZE = ELEMENT[0];
    private static final int ADDRESS = ELEMENT[1];
    private static final int LENGTH = ELEMENT[2];
    private static final int LOCAL_KEY = ELEMENT[3];

    private RequestLayout() {}

    static void putElement(ByteBuffer bytes, int at, long address, int length, int localKey) {
        bytes.putLong(at + ADDRESS, address).putInt(at + LENGTH, length).putInt(at + LOCAL_KEY, localKey);
    }

    /** The id of the send request with a number in the send queue. */
    static long sendId(long sequence) {
        return sequence << 1;
    }

    /** The id of the Receive with a number in its queue. */
    static long receiveId(long sequence) {
        return (sequence << 1) | 1;
    }

    static boolean isReceive(long id) {
        return (id & 1) != 0;
    }

    static long sequence(long id) {
        return id >>> 1;
    }
}
