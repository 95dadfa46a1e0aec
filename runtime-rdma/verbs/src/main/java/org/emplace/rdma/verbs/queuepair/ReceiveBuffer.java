// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.NativeLayout;
import org.emplace.rdma.verbs.memory.ProtectionDomain;
import org.emplace.rdma.verbs.memory.VerbsRegion;

/** Writes receive requests of one element each for C. */
final class ReceiveBuffer {
    private static final int[] REQUEST = NativeLayout.of(NativeLayout.RECEIVE_REQUEST);
    private static final int SIZE = REQUEST[0];
    private static final int ID = REQUEST[1];
    private static final int ELEMENTS = REQUEST[2];

    private final ByteBuffer bytes;
    private final int capacity;
    private int count;

    ReceiveBuffer(int requests) {
        capacity = requests;
        bytes = ByteBuffer.allocateDirect(requests * (SIZE + RequestLayout.ELEMENT_SIZE))
                .order(ByteOrder.nativeOrder());
    }

    void clear() {
        count = 0;
    }

    boolean isFull() {
        return count == capacity;
    }

    int count() {
        return count;
    }

    /**
     * Adds a Receive.
     *
     * @param sequence its number in its queue
     * @param domain the domain of its queue
     * @throws RdmaException if the memory cannot be registered in the domain; the Receive is not added
     */
    void add(long sequence, MemorySegment sink, ProtectionDomain domain) throws RdmaException {
        VerbsRegion region = VerbsRegion.of(sink);
        int key = region.in(domain).localKey();
        int at = count++ * (SIZE + RequestLayout.ELEMENT_SIZE);
        bytes.putLong(at + ID, RequestLayout.receiveId(sequence)).putInt(at + ELEMENTS, 1);
        RequestLayout.putElement(bytes, at + SIZE, region.address() + sink.offset(), sink.length(), key);
    }

    /** The requests, for {@link Libibverbs#postReceive}. */
    ByteBuffer bytes() {
        return bytes;
    }
}
