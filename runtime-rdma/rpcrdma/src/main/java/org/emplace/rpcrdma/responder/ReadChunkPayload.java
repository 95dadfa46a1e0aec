// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rpc.transport.RpcTransport.RemotePayload;
import org.emplace.rpcrdma.header.ReadChunk;
import org.emplace.rpcrdma.memory.ChunkMemory;
import org.emplace.rpcrdma.memory.ExposedPayload;
import org.emplace.rpcrdma.memory.RdmaMemory;
import org.jspecify.annotations.Nullable;

/**
 * An argument in a Read chunk. Its bytes stay in the requester's memory until they are needed, and are then read
 * directly into the sink or, if there is none, into pooled memory.
 */
final class ReadChunkPayload implements RemotePayload, ExposedPayload {
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
