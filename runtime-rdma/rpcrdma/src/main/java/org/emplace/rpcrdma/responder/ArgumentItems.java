// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rpc.transport.RpcTransport.RemotePayload;
import org.emplace.rpcrdma.header.ChunkLists.ReadChunk;
import org.emplace.rpcrdma.memory.RdmaMemory;
import org.emplace.rpcrdma.memory.RdmaMemory.ChunkMemory;
import org.emplace.rpcrdma.memory.RdmaMemory.ExposedPayload;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrException;
import org.jspecify.annotations.Nullable;

/** Finds the eligible arguments of a call: in the Read chunk at their position or, if there is none, in the message. */
final class ArgumentItems implements EligibleItems {
    /** In the order of their positions, in which decoding asks for them. */
    private final List<ReadChunkPayload> chunks;

    private final IncomingRdmaCall call;
    private final boolean ahead;
    /** The first chunk that the decoding can still ask for. */
    private int next;
    /** Whether decoding has passed a chunk at whose position no eligible item begins. */
    private boolean missed;

    /**
     * Starts at the first argument of a call.
     *
     * @param reads the chunks of the call's Read list; the one at position zero is not an argument
     * @param ahead whether the arguments are decoded before they are fetched, on a thread that must not block
     */
    ArgumentItems(List<ReadChunk> reads, IncomingRdmaCall call, boolean ahead) {
        this.chunks = reads.isEmpty() ? List.of() : payloads(reads, call);
        this.call = call;
        this.ahead = ahead;
    }

    private static List<ReadChunkPayload> payloads(List<ReadChunk> reads, IncomingRdmaCall call) {
        List<ReadChunkPayload> payloads = new ArrayList<>(reads.size());
        for (int i = 0; i < reads.size(); i++) {
            ReadChunk chunk = reads.get(i);
            if (chunk.position() != 0) {
                payloads.add(new ReadChunkPayload(chunk, call));
            }
        }
        return payloads;
    }

    /** Whether a Read list has chunks of arguments, which are at positions other than zero. */
    static boolean areIn(List<ReadChunk> reads) {
        return !reads.isEmpty() && reads.get(reads.size() - 1).position() != 0;
    }

    /** Starts to fetch the chunks, after decoding has used all of them. The stage completes on a provider's thread. */
    CompletionStage<?> fetch() {
        return chunks.size() == 1
                ? chunks.get(0).fetched()
                : CompletableFuture.allOf(
                        chunks.stream().map(ReadChunkPayload::fetched).toArray(CompletableFuture<?>[]::new));
    }

    /** Whether registered memory is free for {@link #fetch}. Another thread may take it meanwhile. */
    boolean fetchNeedsNoRegistration(RegisteredPool pool) {
        return chunks.size() == 1 && pool.hasFree((int) chunks.get(0).length());
    }

    /** The total length in bytes of the chunks. */
    long length() {
        long bytes = 0;
        for (int i = 0; i < chunks.size(); i++) {
            bytes += chunks.get(i).length();
        }
        return bytes;
    }

    /** The number of chunks. */
    int count() {
        return chunks.size();
    }

    /** Whether decoding has used every chunk as an eligible argument. */
    boolean allTaken() {
        return !missed && next == chunks.size();
    }

    /** An empty item has no chunk: one at its position belongs to the next item that has bytes. */
    private @Nullable ReadChunkPayload next(long position, long length) {
        while (next < chunks.size() && chunks.get(next).position() < position) {
            next++;
            missed = true;
        }
        if (next == chunks.size() || chunks.get(next).position() > position) {
            return null;
        }
        boolean isOfNextItem = length == 0 && chunks.get(next).length() > 0;
        return isOfNextItem ? null : chunks.get(next++);
    }

    @Override
    public @Nullable Payload chunkAt(long position, long length) throws XdrException {
        ReadChunkPayload chunk = next(position, length);
        if (chunk == null) {
            return null;
        }
        long present = chunk.length();
        if (length == UNKNOWN_LENGTH && ahead) {
            throw new XdrException("the item at position " + position + " must be fetched before it can be decoded");
        }
        if (length != UNKNOWN_LENGTH && present != length && present != EncodedMessage.roundUp(length)) {
            throw new XdrException("the Read chunk at position " + position + " has " + present
                    + " bytes, but its item has " + length);
        }
        if (length != UNKNOWN_LENGTH) {
            chunk.trim((int) length);
        }
        return chunk;
    }

    @Override
    public Payload inline(ByteBuffer stream, int length) {
        return new Inline(stream.slice(stream.position(), length), call);
    }

    /** An inline argument: a view of the message's memory. */
    private record Inline(ByteBuffer bytes, IncomingRdmaCall call) implements Payload {

        @Override
        public long length() {
            return bytes.remaining();
        }

        @Override
        public ByteBuffer buffer() {
            call.requireUnanswered();
            return bytes.asReadOnlyBuffer();
        }

        @Override
        public CompletionStage<Void> fetchInto(ByteBuffer sink) {
            call.useBegins();
            try {
                return Payload.of(bytes).fetchInto(sink);
            } finally {
                call.useEnded();
            }
        }

        @Override
        public String toString() {
            return "Payload[" + length() + " bytes inline]";
        }
    }

    /**
     * An argument in a Read chunk. Its bytes stay in the requester's memory until they are needed, and are then read
     * directly into the sink or, if there is none, into pooled memory.
     */
    static final class ReadChunkPayload implements RemotePayload, ExposedPayload {
        private final ReadChunk chunk;
        private int length;
        private final IncomingRdmaCall call;
        private @Nullable CompletableFuture<ByteBuffer> fetched;

        /** Creates a payload for a whole chunk. */
        ReadChunkPayload(ReadChunk chunk, IncomingRdmaCall call) {
            this.chunk = chunk;
            this.length = Math.toIntExact(chunk.length());
            this.call = call;
        }

        /** The position of the chunk in the call message; see {@link ReadChunk#position}. */
        long position() {
            return chunk.position();
        }

        /** Leaves out the padding that the chunk may have. Called before others get the payload. */
        void trim(int withoutPadding) {
            length = withoutPadding;
        }

        @Override
        public long length() {
            return length;
        }

        @Override
        public ByteBuffer buffer() throws IOException {
            call.requireUnanswered();
            try {
                long limit = call.link().transferTimeout().toNanos();
                return fetched().get(limit, TimeUnit.NANOSECONDS).asReadOnlyBuffer();
            } catch (ExecutionException failed) {
                throw new IOException("cannot fetch an argument: " + failed.getCause(), failed.getCause());
            } catch (TimeoutException slow) {
                call.link().queuePair().close();
                throw new IOException(
                        "the requester did not answer the RDMA Read of an argument within "
                                + call.link().transferTimeout(),
                        slow);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while fetching an argument", interrupted);
            }
        }

        @Override
        public CompletionStage<Void> fetchInto(ByteBuffer sink) {
            if (sink.isReadOnly() || sink.remaining() < length) {
                throw new IllegalArgumentException(
                        "the sink is read-only or shorter than the payload's " + length + " bytes: " + sink);
            }
            ByteBuffer target = sink.remaining() == length ? sink : sink.slice(sink.position(), length);
            if (!target.isDirect() || alreadyFetched()) {
                return copyInto(target);
            }
            try {
                return fetch(call.link().memory().inPlace(target));
            } catch (RdmaException refused) {
                return CompletableFuture.failedFuture(refused);
            }
        }

        @Override
        public boolean isReadableInto(RdmaMemory memory) {
            return call.link().memory() == memory;
        }

        @Override
        public CompletionStage<Void> fetchInto(MemorySegment sink) {
            return alreadyFetched() ? copyInto(sink.buffer()) : fetch(ChunkMemory.lasting(sink));
        }

        @Override
        public String toString() {
            return "Payload[" + length + " bytes in a Read chunk]";
        }

        private CompletionStage<Void> copyInto(ByteBuffer target) {
            call.useBegins();
            CompletableFuture<Void> copied;
            try {
                copied = fetched()
                        .thenAcceptAsync(
                                bytes -> target.duplicate().put(bytes.duplicate()),
                                call.link().callbacks());
            } catch (RuntimeException | Error broken) {
                call.useEnded();
                throw broken;
            }
            return copied.whenComplete((done, failure) -> call.useEnded()).minimalCompletionStage();
        }

        private synchronized boolean alreadyFetched() {
            return fetched != null;
        }

        /** See {@link ChunkFetcher#fetchIntoPool}. */
        @Override
        public synchronized CompletableFuture<ByteBuffer> fetched() {
            if (fetched == null) {
                fetched = call.fetcher().fetchIntoPool(chunk, length, call);
            }
            return fetched;
        }

        /** Fetches into memory. The stage completes on a thread that may run the application's stages. */
        private CompletionStage<Void> fetch(ChunkMemory memory) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            try {
                call.useBegins();
            } catch (IllegalStateException answered) {
                memory.release().run();
                throw answered;
            }
            call.fetcher().fetch(chunk, memory.segment(), status -> {
                memory.release().run();
                call.useEnded();
                call.link().callbacks().execute(() -> complete(done, status));
            });
            return done;
        }

        private static void complete(CompletableFuture<Void> done, Completion.Status status) {
            if (status == Completion.Status.SUCCESS) {
                done.complete(null);
            } else {
                done.completeExceptionally(new IOException("RDMA Read ended with " + status));
            }
        }
    }
}
