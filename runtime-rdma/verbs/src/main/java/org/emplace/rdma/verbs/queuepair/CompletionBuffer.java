// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.jni.NativeLayout;

/** A batch of completions as C writes them. Used on a loop. */
final class CompletionBuffer {
    private static final int[] COMPLETION = NativeLayout.of(NativeLayout.COMPLETION);
    private static final int SIZE = COMPLETION[0];
    private static final int ID = COMPLETION[1];
    private static final int STATUS = COMPLETION[2];
    private static final int OPCODE = COMPLETION[3];
    private static final int LENGTH = COMPLETION[4];
    private static final int FLAGS = COMPLETION[5];
    private static final int INVALIDATED_KEY = COMPLETION[6];
    private static final int VENDOR_ERROR = COMPLETION[7];
    private static final int QUEUE_PAIR = COMPLETION[8];

    /** {@code IBV_WC_RECV_RDMA_WITH_IMM}. */
    private static final int WRITE_WITH_IMMEDIATE = 129;

    /** {@code IBV_WC_WITH_INV}; rxe sets the kernel's number for it, which user space calls {@code IBV_WC_IP_CSUM_OK}. */
    private static final int WITH_INVALIDATE = 1 << 3;

    private static final int WITH_INVALIDATE_IN_KERNEL = 1 << 2;

    private final ByteBuffer bytes;
    /** Whether the last poll found only completions of successful requests, so that their statuses need not be read. */
    private boolean successful;

    CompletionBuffer(int completions) {
        this(ByteBuffer.allocateDirect(completions * SIZE));
    }

    /** @param bytes direct; may already contain completions */
    CompletionBuffer(ByteBuffer bytes) {
        this.bytes = bytes.order(ByteOrder.nativeOrder());
    }

    /** The buffer that {@link #poll} fills. */
    ByteBuffer bytes() {
        return bytes;
    }

    /** Takes completions of a queue that was created with this buffer. Returns their number. */
    int poll(long queue) throws NativeException {
        int found = Libibverbs.poll(queue);
        successful = found >= 0;
        return successful ? found : -1 - found;
    }

    /** Whether the completion is a Receive's, else a send request's. The id tells, because a completion in error has no valid opcode. */
    boolean isReceive(int index) {
        return RequestLayout.isReceive(id(index));
    }

    /** The request's number in its queue. */
    long sequence(int index) {
        return RequestLayout.sequence(id(index));
    }

    private long id(int index) {
        return bytes.getLong(index * SIZE + ID);
    }

    WorkStatus status(int index) {
        return successful
                ? WorkStatus.SUCCESS
                : WorkStatus.of(bytes.getInt(index * SIZE + STATUS), bytes.getInt(index * SIZE + VENDOR_ERROR));
    }

    /** The number of the request's queue pair. */
    int queuePair(int index) {
        return bytes.getInt(index * SIZE + QUEUE_PAIR);
    }

    /**
     * Bytes received; 0 for a peer's RDMA Write with immediate data. That consumes a Receive without writing to it, and reports the length of the
     * Write.
     */
    int length(int index) {
        boolean written = bytes.getInt(index * SIZE + OPCODE) == WRITE_WITH_IMMEDIATE;
        return written ? 0 : bytes.getInt(index * SIZE + LENGTH);
    }

    /** Whether the peer's Send may have invalidated {@link #invalidatedKey}. It has if that key was exposed. */
    boolean mayInvalidate(int index) {
        return (bytes.getInt(index * SIZE + FLAGS) & (WITH_INVALIDATE | WITH_INVALIDATE_IN_KERNEL)) != 0;
    }

    int invalidatedKey(int index) {
        return bytes.getInt(index * SIZE + INVALIDATED_KEY);
    }
}
