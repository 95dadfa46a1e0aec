// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import java.nio.ByteBuffer;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rpc.Destination;
import org.emplace.rpc.transport.CallCounters;
import org.emplace.rpcrdma.memory.ChunkMemory;
import org.emplace.rpcrdma.memory.RdmaMemory;
import org.emplace.rpcrdma.memory.RdmaRegisteredBuffer;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.emplace.xdr.Payload;
import org.jspecify.annotations.Nullable;

/**
 * The memory behind one Write chunk of a call: the destination itself where it is direct memory, else a staging buffer from which the
 * result is copied.
 */
final class ResultChunk {
    private final ChunkMemory memory;
    private final ByteBuffer result;
    private final boolean staged;

    private ResultChunk(ChunkMemory memory, ByteBuffer result, boolean staged) {
        this.memory = memory;
        this.result = result;
        this.staged = staged;
    }

    /**
     * Prepares the memory for a result.
     *
     * @param size the largest size of the result; a shorter destination limits it
     */
    static ResultChunk of(Destination destination, long size, RdmaMemory domain) throws RdmaException {
        if (destination instanceof Destination.InRegistered in) {
            ByteBuffer target = in.buffer().buffer().slice(in.offset(), limited(in.length(), size));
            MemorySegment registered = registered(in, target.capacity(), domain);
            return registered == null || target.capacity() == 0
                    ? inBuffer(target, domain)
                    : new ResultChunk(ChunkMemory.lasting(registered), target, false);
        } else if (destination instanceof Destination.InBuffer in) {
            return inBuffer(in.buffer().slice(0, limited(in.buffer().remaining(), size)), domain);
        }
        return inBuffer(RegisteredPool.allocate(limited(Integer.MAX_VALUE, size)), domain);
    }

    private static @Nullable MemorySegment registered(Destination.InRegistered in, int length, RdmaMemory domain) {
        return in.buffer() instanceof RdmaRegisteredBuffer buffer && buffer.isOf(domain)
                ? buffer.segment(in.offset(), length)
                : null;
    }

    /** An STag for no bytes would be one that nobody may invalidate, as a reply might; so a result for which there is no room is offered a byte. */
    private static ResultChunk inBuffer(ByteBuffer target, RdmaMemory domain) throws RdmaException {
        if (target.capacity() == 0) {
            return new ResultChunk(domain.staging(1), target, false);
        }
        return target.isDirect()
                ? new ResultChunk(domain.inPlace(target), target, false)
                : new ResultChunk(domain.staging(target.remaining()), target, true);
    }

    private static int limited(int length, long size) {
        return (int) Math.min(length, size);
    }

    /** The memory to expose. */
    MemorySegment segment() {
        return memory.segment();
    }

    /** Bytes that the result may have. */
    int room() {
        return result.capacity();
    }

    /** The result as the peer placed it. Called once the memory is fenced. */
    Payload placed(int length, CallCounters counters) {
        ByteBuffer bytes = result.slice(0, length);
        if (staged) {
            bytes.duplicate().put(memory.segment().buffer().limit(length));
            counters.copy(length);
        }
        return Payload.of(bytes);
    }

    void release() {
        memory.release().run();
    }
}
