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
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.reactor.Timekeeper.Deadlines;
import org.emplace.rpc.limits.MemoryShares;
import org.emplace.rpcrdma.header.ChunkLists.ReadChunk;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.link.SendQueue;
import org.emplace.rpcrdma.memory.PooledBuffer;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.emplace.rpcrdma.responder.ReplyForm.Gather;

/**
 * Reads Read chunks from the requester's memory. If one takes longer than the transfer timeout, the connection is
 * closed. Safe for use by several threads.
 */
final class ChunkFetcher {
    /** What each segment counts in the window, in bytes, beyond those that clients need for the length. */
    private static final int SEGMENT_COST = 4096;

    /** Clients register memory page by page, and some no more than 16 pages at a time. */
    private static final int BYTES_OF_SEGMENT = 64 * 1024;

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
        int weight = weight(chunk, length);
        Runnable start = () -> fetchIntoPool(chunk, length, weight, capacity, call, fetched);
        if (window.enter(weight, capacity, start)) {
            start.run();
        }
        return fetched;
    }

    /** What a fetch counts in the window: each segment is an RDMA Read of its own, however short. */
    private static int weight(ReadChunk chunk, int length) {
        long more = Math.max(0, chunk.segments().size() - 1L - length / BYTES_OF_SEGMENT);
        return (int) Math.min(Integer.MAX_VALUE, length + more * SEGMENT_COST);
    }

    private void fetchIntoPool(
            ReadChunk chunk,
            int length,
            int weight,
            int capacity,
            IncomingRdmaCall call,
            CompletableFuture<ByteBuffer> fetched) {
        MemorySegment sink;
        Consumer<Completion.Status> ended;
        try {
            PooledBuffer buffer = call.keepCharged(length, capacity);
            sink = buffer.segment(0, length);
            ended = status -> {
                window.leave(weight);
                if (status == Completion.Status.SUCCESS) {
                    fetched.complete(buffer.buffer().slice(0, length));
                } else {
                    fetched.completeExceptionally(new IOException("RDMA Read ended with " + status));
                }
                call.useEnded();
            };
            call.useBegins();
        } catch (RdmaException | Error exhausted) {
            window.leave(weight);
            link.endForLackOfMemory("an argument", exhausted);
            fetched.completeExceptionally(
                    new IOException("the connection was closed, because there is no memory", exhausted));
            return;
        } catch (RuntimeException answered) {
            window.leave(weight);
            fetched.completeExceptionally(answered);
            return;
        }
        fetch(chunk, sink, ended);
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
        int id = link.sends().newId();
        List<WorkRequest> reads;
        Fetch fetch = null;
        try {
            reads = reads(chunk, sink, id);
            fetch = new Fetch(link.time().nanoTime() + link.transferTimeout().toNanos(), ended);
            synchronized (underWay) {
                underWay.add(fetch);
            }
            deadlines.add(fetch.deadline);
        } catch (RuntimeException | Error broken) {
            link.endForLackOfMemory("a fetch", broken);
            if (fetch == null) {
                ended.accept(Completion.Status.FLUSHED);
            } else {
                fetch.completed(Completion.Status.FLUSHED);
            }
            return;
        }
        link.sends().post(id, reads, fetch);
    }

    /** Called when the connection is over. */
    void disconnected() {
        deadlines.stop();
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
    private final class Fetch implements SendQueue.CompletionListener {
        private final long deadline;
        private final Consumer<Completion.Status> ended;
        private boolean hasEnded;

        Fetch(long deadline, Consumer<Completion.Status> ended) {
            this.deadline = deadline;
            this.ended = ended;
        }

        @Override
        public void completed(Completion.Status status) {
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

    /**
     * Limits the memory that waits for a peer to answer RDMA Reads. A fetch is charged for its memory only if the fetches in progress
     * and this one are within the limit, or if none is in progress. A peer that answers no RDMA Reads therefore cannot hold
     * more memory, however large its Read chunks. A fetch also waits until the connection's share has memory for it.
     * Fetches start in the order in which they enter. Safe for use by several threads.
     */
    static final class FetchWindow {
        private final long limit;
        private final MemoryShares.Share share;
        private final Executor executor;
        private final Deque<Waiting> waiting = new ArrayDeque<>(0);
        private long open;
        /** Whether a fetch, which is no longer in the queue, waits for the share. */
        private boolean asking;

        private boolean over;

        private record Waiting(int bytes, int capacity, Runnable start) {}

        /**
         * Creates a window without fetches.
         *
         * @param limit the most bytes to fetch at a time
         * @param share the memory that fetches are charged for; each fetch keeps its bytes, and its owner uncharges them
         * @param executor starts the fetches that had to wait
         */
        FetchWindow(long limit, MemoryShares.Share share, Executor executor) {
            this.limit = limit;
            this.share = share;
            this.executor = executor;
        }

        /**
         * Asks to start a fetch. When the fetch has ended, successfully or not, {@link #leave} must be called.
         *
         * @param bytes to be fetched
         * @param capacity the bytes of the memory for them. When the fetch starts, it has been charged to the share
         * @param later run on the executor when the fetch may start, if it may not start now
         * @return whether the fetch may start now
         */
        synchronized boolean enter(int bytes, int capacity, Runnable later) {
            Waiting fetch = new Waiting(bytes, capacity, later);
            if (waiting.isEmpty() && !asking && hasRoomFor(bytes)) {
                return begins(fetch);
            }
            waiting.add(fetch);
            return false;
        }

        /** Charges the memory of the next fetch. Returns whether it is there; if not, {@link #granted} is called when it is. */
        private synchronized boolean begins(Waiting fetch) {
            open += fetch.bytes;
            if (over) {
                share.chargeBeyond(fetch.capacity);
                return true;
            }
            asking = !share.chargeOrWait(fetch.capacity, Math.max(limit, fetch.capacity), () -> granted(fetch));
            return !asking;
        }

        private void granted(Waiting fetch) {
            synchronized (this) {
                asking = false;
            }
            executor.execute(fetch.start);
            beginWaiting();
        }

        /**
         * Called when a fetch has ended.
         *
         * @param bytes of the fetch
         */
        void leave(int bytes) {
            synchronized (this) {
                open -= bytes;
            }
            beginWaiting();
        }

        /** Called when the connection is over. RDMA Reads then end at once, so no fetch has to wait. */
        void disconnected() {
            synchronized (this) {
                over = true;
            }
            share.grantWaiting();
            beginWaiting();
        }

        private void beginWaiting() {
            while (true) {
                Waiting next;
                synchronized (this) {
                    next = waiting.peek();
                    if (next == null || asking || !hasRoomFor(next.bytes)) {
                        return;
                    }
                    waiting.remove();
                    if (!begins(next)) {
                        return;
                    }
                }
                executor.execute(next.start);
            }
        }

        private boolean hasRoomFor(int bytes) {
            return over || open == 0 || open + bytes <= limit;
        }
    }
}
