// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.NativeLayout;

/** Writes send requests for C, one after the other. */
final class SendBuffer {
    private static final int[] REQUEST = NativeLayout.of(NativeLayout.SEND_REQUEST);
    private static final int SIZE = REQUEST[0];
    private static final int ID = REQUEST[1];
    private static final int REMOTE_ADDRESS = REQUEST[2];
    private static final int WINDOW = REQUEST[3];
    private static final int REGION = REQUEST[4];
    private static final int OPCODE = REQUEST[5];
    private static final int FLAGS = REQUEST[6];
    private static final int KEY = REQUEST[7];
    private static final int ELEMENTS = REQUEST[8];
    private static final int ACCESS = REQUEST[9];

    private final ByteBuffer bytes;
    private final int capacity;
    private int request;
    private int end;
    private int count;

    /**
     * Allocates room for requests.
     *
     * @param elements the most scatter/gather elements of one request
     */
    SendBuffer(int requests, int elements) {
        capacity = requests;
        bytes = ByteBuffer.allocateDirect(requests * (SIZE + elements * RequestLayout.ELEMENT_SIZE))
                .order(ByteOrder.nativeOrder());
    }

    void clear() {
        end = 0;
        count = 0;
    }

    boolean isFull() {
        return count == capacity;
    }

    int count() {
        return count;
    }

    /** Begins a request. {@code sequence} is its number in the send queue. */
    void begin(long sequence, int opcode, int flags) {
        request = end;
        end += SIZE;
        count++;
        bytes.putLong(request + ID, RequestLayout.sendId(sequence))
                .putLong(request + REMOTE_ADDRESS, 0)
                .putLong(request + WINDOW, 0)
                .putLong(request + REGION, 0)
                .putInt(request + OPCODE, opcode)
                .putInt(request + FLAGS, flags)
                .putInt(request + KEY, 0)
                .putInt(request + ELEMENTS, 0)
                .putInt(request + ACCESS, 0);
    }

    /** Requests a completion for the request that was begun last. */
    void signalLast() {
        bytes.putInt(request + FLAGS, bytes.getInt(request + FLAGS) | Libibverbs.SIGNALED);
    }

    /** Sets the request's key: of the peer's memory, to be invalidated, or the window's new key. */
    void key(int key) {
        bytes.putInt(request + KEY, key);
    }

    void remoteAddress(long address) {
        bytes.putLong(request + REMOTE_ADDRESS, address);
    }

    void window(long window, long region, int access) {
        bytes.putLong(request + WINDOW, window)
                .putLong(request + REGION, region)
                .putInt(request + ACCESS, access);
    }

    /** Adds a range of local memory to the request. */
    void element(long address, int length, int localKey) {
        RequestLayout.putElement(bytes, end, address, length, localKey);
        end += RequestLayout.ELEMENT_SIZE;
        bytes.putInt(request + ELEMENTS, bytes.getInt(request + ELEMENTS) + 1);
    }

    /** The requests, for {@link Libibverbs#postSend}. */
    ByteBuffer bytes() {
        return bytes;
    }
}
