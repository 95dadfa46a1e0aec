// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.emplace.rdma.Completion;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RemoteSegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rpc.transport.Callbacks;
import org.emplace.rpc.transport.Deadlines;
import org.emplace.rpcrdma.header.ReadChunk;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.link.SendQueue;
import org.emplace.rpcrdma.memory.PooledBuffer;
import org.emplace.rpcrdma.memory.RegisteredPool;

/**
 * Reads Read chunks from the requester's memory. If one takes longer than the transfer timeout, the connection is
 * closed. Safe for use by several threads.
 */
final class ChunkFetcher {
    private final Link link;
    private final FetchWindow window;
    /**
     * The fetches in the order of their starts, from the oldest unfinished one on. Guarded by itself.
     */
    private final Deque<Fetch> underWay = new ArrayDeque<>();

    private final Deadlines deadlines;

    /** @param window the most bytes of pooled memory into which to fetch at a time */
    ChunkFetcher(Link link, long window) {
        this.link = link;
        this.window = new FetchWindow(window, link.share(), link.callbacks());
        this.deadlines = new Deadlines(link.time(), this::closeIfLate);
    }

    /**
     * Reads the beginning of a chunk into pooled memory that a call keeps, when the window and the connection's share
     * have room for it.
     *
     * @param length of the beginning in bytes
     * @return completes with the bytes, from position 0 to the limit, on the provider's thread. Never run stages of the
     *     application on that thread, because it serves all connections. Fails with an {@link RdmaException} of reason
     *     NO_RESOURCES or an {@link UncheckedIOException} if there can never be enough memory, or with an {@link IllegalStateException} if the call has been
     *     answered meanwhile. If the system has no memory although the share has room, the connection ends
     */
    CompletableFuture<ByteBuffer> fetchIntoPool(ReadChunk chunk, int length, IncomingRdmaCall call) {
        CompletableFuture<ByteBuffer> fetched = new CompletableFuture<>();
        int capacity;
        try {
            capacity = RegisteredPool.capacityFor(length);
            link.share().requirePossible(capacity);
        } catch (RdmaException | UncheckedIOException never) {
            fetched.completeExceptionally(never);
            return fetched;
        }
        Callbacks.Task begin = new Callbacks.Task() {
            @Override
            public void run() {
                fetchIntoPool(chunk, length, capacity, call, fetched);
            }

            @Override
            public void failed(Throwable cause) {
                link.broken(cause);
                fetched.completeExceptionally(new IOException("the fetch failed", cause));
            }
        };
        if (window.enter(length, capacity, begin)) {
            begin.run();
        }
        return fetched;
    }

    private void fetchIntoPool(
            ReadChunk chunk, int length, int capacity, IncomingRdmaCall call, CompletableFuture<ByteBuffer> fetched) {
        PooledBuffer buffer;
        try {
            buffer = call.keepTaken(length, capacity);
            call.useBegins();
        } catch (RdmaException | Error exhausted) {
            window.leave(length);
            link.endForLackOfMemory("an argument", exhausted);
            fetched.completeExceptionally(
                    new IOException("the connection was closed, because there is no memory", exhausted));
            return;
        } catch (RuntimeException answered) {
            window.leave(length);
            fetched.completeExceptionally(answered);
            return;
        }
        boolean begun = false;
        try {
            fetch(chunk, buffer.segment(0, length), status -> fetched(status, buffer, length, call, fetched));
            begun = true;
        } finally {
            if (!begun) {
                // Perhaps it has been posted, so the call keeps its memory until the connection is over.
                link.queuePair().close();
                link.sends().endWithConnection(status -> fetched(status, buffer, length, call, fetched));
            }
        }
    }

    private void fetched(
            Completion.Status status,
            PooledBuffer buffer,
            int length,
            IncomingRdmaCall call,
            CompletableFuture<ByteBuffer> fetched) {
        if (fetched.isDone()) {
            return;
        }
        try {
            window.leave(length);
            if (status == Completion.Status.SUCCESS) {
                fetched.complete(buffer.buffer().slice(0, length));
            } else {
                fetched.completeExceptionally(new IOException("RDMA Read ended with " + status));
            }
        } catch (RuntimeException | Error broken) {
            fetched.completeExceptionally(new IOException("the fetch failed", broken));
            throw broken;
        } finally {
            call.useEnded();
        }
    }

    /**
     * Reads the beginning of a chunk, as many bytes as the sink has.
     *
     * @param ended called once: on a provider's thread or, if there is nothing to read, by this method
     */
    void fetch(ReadChunk chunk, MemorySegment sink, Consumer<Completion.Status> ended) {
        if (sink.length() == 0) {
            ended.accept(Completion.Status.SUCCESS);
            return;
        }
        Fetch fetch = new Fetch(link.time().nanoTime() + link.transferTimeout().toNanos(), ended);
        synchronized (underWay) {
            underWay.add(fetch);
        }
        deadlines.add(fetch.deadline);
        int id = link.sends().newId();
        link.sends().post(id, reads(chunk, sink, id), fetch);
    }

    /** Called when the connection is over. */
    void disconnected() {
        deadlines.end();
        window.disconnected();
    }

    private void closeIfLate() {
        Fetch oldest;
        synchronized (underWay) {
            oldest = underWay.peek();
        }
        if (oldest == null) {
            return;
        }
        if (oldest.deadline - link.time().nanoTime() > 0) {
            deadlines.add(oldest.deadline);
        } else {
            link.queuePair().close();
        }
    }

    /** One fetch in progress. */
    private final class Fetch implements SendQueue.EndListener {
        private final long deadline;
        private final Consumer<Completion.Status> ended;
        private boolean hasEnded;

        Fetch(long deadline, Consumer<Completion.Status> ended) {
            this.deadline = deadline;
            this.ended = ended;
        }

        @Override
        public void ended(Completion.Status status) {
            synchronized (underWay) {
                hasEnded = true;
                while (!underWay.isEmpty() && underWay.element().hasEnded) {
                    underWay.remove();
                }
            }
            ended.accept(status);
        }
    }

    private static List<WorkRequest> reads(ReadChunk chunk, MemorySegment sink, int id) {
        List<WorkRequest> reads = new ArrayList<>(chunk.segments().size());
        int done = 0;
        for (int i = 0; i < chunk.segments().size(); i++) {
            RemoteSegment source = chunk.segments().get(i);
            int length = (int) Math.min(source.length(), sink.length() - done);
            if (length > 0) {
                RemoteSegment part =
                        length == source.length() ? source : new RemoteSegment(source.stag(), source.offset(), length);
                reads.add(new WorkRequest.Read(id, Gather.part(sink, done, length), part));
                done += length;
            }
        }
        return reads;
    }
}
