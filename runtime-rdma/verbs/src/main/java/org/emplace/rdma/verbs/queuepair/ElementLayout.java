// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.nio.ByteBuffer;
import org.emplace.rdma.verbs.jni.NativeLayout;

/** How a scatter/gather element is written down for C. */
final class ElementLayout {
    private static final int[] ELEMENT = NativeLayout.of(NativeLayout.SCATTER_GATHER);
    static final int SIZE = ELEMENT[0];
    private static final int ADDRESS = ELEMENT[1];
    private static final int LENGTH = ELEMENT[2];
    private static final int LOCAL_KEY = ELEMENT[3];

    private ElementLayout() {}

    static void put(ByteBuffer bytes, int at, long address, int length, int localKey) {
        bytes.putLong(at + ADDRESS, address).putInt(at + LENGTH, length).putInt(at + LOCAL_KEY, localKey);
    }
}
