// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.NativeLibrary;
import org.emplace.rdma.verbs.memory.ProtectionDomain;
import org.emplace.rdma.verbs.memory.VerbsRegion;

/** A batch of work requests as C reads them, one after the other: send requests, or Receives. */
final class WorkRequestBuffer {
    private static final int[] SEND = NativeLibrary.layout(NativeLibrary.SEND_REQUEST);
    private static final int REMOTE_ADDRESS = SEND[2];
    private static final int WINDOW = SEND[3];
    private static final int REGION = SEND[4];
    private static final int OPCODE = SEND[5];
    private static final int FLAGS = SEND[6];
    private static final int KEY = SEND[7];
    private static final int ACCESS = SEND[9];
    private static final int[] RECEIVE = NativeLibrary.layout(NativeLibrary.RECEIVE_REQUEST);
    private static final int[] ELEMENT = NativeLibrary.layout(NativeLibrary.SCATTER_GATHER);
    private static final int ELEMENT_SIZE = ELEMENT[0];

    private final ByteBuffer bytes;
    private final int capacity;
    private final int size;
    private final int id;
    private final int elements;
    private int request;
    private int end;
    private int count;

    private WorkRequestBuffer(int requests, int most, int size, int id, int elements) {
        capacity = requests;
        this.size = size;
        this.id = id;
        this.elements = elements;
        bytes = ByteBuffer.allocateDirect(requests * (size + most * ELEMENT_SIZE))
                .order(ByteOrder.nativeOrder());
    }

    /** Allocates room for send requests, each with at most {@code elements} scatter/gather elements. */
    static WorkRequestBuffer ofSends(int requests, int elements) {
        return new WorkRequestBuffer(requests, elements, SEND[0], SEND[1], SEND[8]);
    }

    /** Allocates room for Receives of one element each. */
    static WorkRequestBuffer ofReceives(int requests) {
        return new WorkRequestBuffer(requests, 1, RECEIVE[0], RECEIVE[1], RECEIVE[2]);
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

    /** The requests, for {@link Libibverbs#postSend} or {@link Libibverbs#postReceive}. */
    ByteBuffer bytes() {
        return bytes;
    }

    private void add(long sequence) {
        request = end;
        end += size;
        count++;
        bytes.putLong(request + id, sequence).putInt(request + elements, 0);
    }

    /**
     * Adds a Receive.
     *
     * @param sequence its number in its queue
     * @param domain the domain of its queue
     * @throws RdmaException if the memory cannot be registered in the domain; the Receive is not added
     */
    void addReceive(long sequence, MemorySegment sink, ProtectionDomain domain) throws RdmaException {
        VerbsRegion region = VerbsRegion.of(sink);
        int key = region.in(domain).localKey();
        add(sequence);
        element(region.address() + sink.offset(), sink.length(), key);
    }

    /** Adds a send request. {@code sequence} is its number in the send queue. The other fields of the request are set by the methods below. */
    void addSend(long sequence, int opcode, int flags) {
        add(sequence);
        bytes.putLong(request + REMOTE_ADDRESS, 0)
                .putLong(request + WINDOW, 0)
                .putLong(request + REGION, 0)
                .putInt(request + OPCODE, opcode)
                .putInt(request + FLAGS, flags)
                .putInt(request + KEY, 0)
                .putInt(request + ACCESS, 0);
    }

    /** Requests a completion for the send request that was added last. */
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
        bytes.putLong(end + ELEMENT[1], address)
                .putInt(end + ELEMENT[2], length)
                .putInt(end + ELEMENT[3], localKey);
        end += ELEMENT_SIZE;
        bytes.putInt(request + elements, bytes.getInt(request + elements) + 1);
    }
}
