// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.rpc.RegisteredBuffer.MemoryDomain;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.client.CallCounters;
import org.emplace.rpc.limits.MemoryShares;
import org.emplace.xdr.Payload;
import org.jspecify.annotations.Nullable;

/** The memory registered with one provider: by applications, for single chunks, and the pool for everything else. */
public final class RdmaMemory implements MemoryDomain {
    private static final ByteBuffer ZEROS = ByteBuffer.allocate(1 << 16).asReadOnlyBuffer();

    private final RdmaProvider provider;
    private final RegisteredPool pool;
    private final MemoryShares shares;

    /**
     * Creates the memory of one provider.
     *
     * @param pool the pool of the same provider
     */
    public RdmaMemory(RdmaProvider provider, RegisteredPool pool) {
        this.provider = provider;
        this.pool = pool;
        // The rest is for Receives and replies, whose number is limited by credits.
        this.shares = new MemoryShares(pool.limit() / 4 * 3);
    }

    /** The pool of memory that this transport allocates. */
    public RegisteredPool pool() {
        return pool;
    }

    /** Limits how much of the pool the calls of each peer hold. */
    public MemoryShares shares() {
        return shares;
    }

    @Override
    public RegisteredBuffer register(ByteBuffer direct) throws RpcException {
        if (!direct.isDirect() || direct.isReadOnly()) {
            throw new IllegalArgumentException("only a direct, writable buffer can be registered: " + direct);
        }
        try {
            return new Registered(this, provider.register(direct));
        } catch (RdmaException refused) {
            throw new RpcException(RpcException.Kind.NO_RESOURCES, String.valueOf(refused.getMessage()), refused);
        }
    }

    /** Returns the memory of a payload if it is registered here; null if it is not. */
    @Nullable
    MemorySegment registered(Payload payload) {
        return payload instanceof RegionPayload inRegion && inRegion.isOf(this) ? inRegion.segment() : null;
    }

    /**
     * Returns registered memory with the bytes of a payload that is not {@linkplain #registered registered}: in place if they are in direct memory,
     * otherwise a copy in a staging buffer, which is counted.
     */
    ChunkMemory source(Payload payload, OutgoingMessage.Buffers buffers, CallCounters counters) throws IOException {
        ByteBuffer bytes = payload.buffer();
        // Devices cannot register an empty buffer.
        if (bytes.isDirect() && bytes.hasRemaining()) {
            return inPlace(bytes);
        }
        int length = bytes.remaining();
        PooledBuffer staging = buffers.acquire(length);
        staging.buffer().put(bytes);
        counters.copy(length);
        return ChunkMemory.staged(staging, length);
    }

    /**
     * Registers direct memory for one chunk.
     *
     * @throws RdmaException with reason NO_RESOURCES if the system does not permit it
     */
    public ChunkMemory inPlace(ByteBuffer direct) throws RdmaException {
        return ChunkMemory.registered(provider.register(direct));
    }

    /**
     * Returns a staging buffer for a chunk that the peer writes. It is filled with zeros: a peer may claim to have
     * written more than it did, and data of other connections must not become visible.
     *
     * @throws RdmaException see {@link RegisteredPool#acquire}
     */
    public ChunkMemory staging(int length) throws RdmaException {
        PooledBuffer buffer = pool.acquire(length);
        ByteBuffer exposed = buffer.buffer().limit(length);
        while (exposed.hasRemaining()) {
            exposed.put(ZEROS.slice(0, Math.min(exposed.remaining(), ZEROS.capacity())));
        }
        return ChunkMemory.staged(buffer, length);
    }

    /** Memory that an application has registered. */
    public static final class Registered implements RegisteredBuffer {
        private final RdmaMemory domain;
        private final MemoryRegion region;
        private volatile boolean closed;

        Registered(RdmaMemory domain, MemoryRegion region) {
            this.domain = domain;
            this.region = region;
        }

        /** Whether this memory is registered with {@code memory}, so that its connections can use it. */
        public boolean isOf(RdmaMemory memory) {
            return domain == memory;
        }

        /** Returns a part of the memory for a work request. */
        public MemorySegment segment(int offset, int length) {
            return region.segment(offset, length);
        }

        @Override
        public ByteBuffer buffer() {
            return region.buffer();
        }

        @Override
        public int length() {
            return region.length();
        }

        @Override
        public Payload payload(int offset, int length) {
            requireOpen();
            return new RegionPayload(domain, region.segment(offset, length));
        }

        @Override
        public CompletionStage<Void> fetch(Payload payload, int offset) {
            requireOpen();
            MemorySegment sink = region.segment(offset, Math.toIntExact(payload.length()));
            return payload instanceof ExposedPayload exposed && exposed.isReadableInto(domain)
                    ? exposed.fetchInto(sink)
                    : payload.fetchInto(sink.buffer());
        }

        private void requireOpen() {
            if (closed) {
                throw new IllegalStateException("the buffer has been closed, so it is no longer registered");
            }
        }

        @Override
        public void close() {
            closed = true;
            region.close();
        }
    }

    /**
     * The local memory of one chunk.
     *
     * @param segment the bytes
     * @param release frees what was acquired for this chunk only: deregisters the memory, or releases the staging buffer.
     *     Run it when neither the peer nor the provider accesses the memory any more
     */
    public record ChunkMemory(MemorySegment segment, Runnable release) {

        /** Memory that stays registered after the chunk. */
        public static ChunkMemory lasting(MemorySegment segment) {
            return new ChunkMemory(segment, () -> {});
        }

        /** Memory registered for this chunk. */
        static ChunkMemory registered(MemoryRegion region) {
            try {
                return new ChunkMemory(region.segment(0, region.length()), region::close);
            } catch (RuntimeException | Error broken) {
                region.close();
                throw broken;
            }
        }

        /** The first bytes of a staging buffer. */
        static ChunkMemory staged(PooledBuffer buffer, int length) {
            try {
                return new ChunkMemory(buffer.segment(0, length), buffer::release);
            } catch (RuntimeException | Error broken) {
                buffer.release();
                throw broken;
            }
        }
    }

    /** A payload in memory that the peer exposes. RDMA Reads can place it in registered memory. */
    public interface ExposedPayload extends Payload {

        /** Whether the connection to the peer can place the bytes in this memory. */
        boolean isReadableInto(RdmaMemory memory);

        /**
         * Like {@link Payload#fetchInto}, with registered memory.
         *
         * @param sink has the payload's length, and stays registered until the stage completes
         */
        CompletionStage<Void> fetchInto(MemorySegment sink);
    }

    /** A payload in registered memory, which a chunk moves without a copy. */
    public static final class RegionPayload implements Payload {
        private final RdmaMemory domain;
        private final MemorySegment segment;

        /**
         * Creates a payload for a whole segment.
         *
         * @param domain the memory with which the segment is registered
         * @param segment must stay registered while the payload is used
         */
        public RegionPayload(RdmaMemory domain, MemorySegment segment) {
            this.domain = domain;
            this.segment = segment;
        }

        boolean isOf(RdmaMemory memory) {
            return domain == memory;
        }

        MemorySegment segment() {
            return segment;
        }

        @Override
        public long length() {
            return segment.length();
        }

        @Override
        public ByteBuffer buffer() {
            return segment.buffer().asReadOnlyBuffer();
        }

        @Override
        public CompletionStage<Void> fetchInto(ByteBuffer sink) {
            return Payload.of(segment.buffer()).fetchInto(sink);
        }

        @Override
        public String toString() {
            return "Payload[" + length() + " registered bytes]";
        }
    }
}
