// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.emplace.rdma.Completion;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.RemoteSegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rpc.transport.Timekeeper;
import org.emplace.rpcrdma.header.ReadChunk;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.link.SendQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reads Read chunks from the requester's memory. If one takes longer than the transfer timeout, the connection is
 * closed. There is a single timer, for the oldest fetch, so that the timekeeper's thread need not wake up for every
 * chunk. Safe for use by several threads.
 */
final class ChunkFetcher {
    private final Link link;
    private final FetchWindow window;
    /**
     * The fetches from the oldest unfinished one on, in the order of their starts. This field and those below are
     * guarded by it.
     */
    private final Deque<Fetch> underWay = new ArrayDeque<>();

    private Timekeeper.@Nullable Timer look;
    private boolean over;

    /** @param window the most bytes of pooled memory into which to fetch at a time */
    ChunkFetcher(Link link, long window) {
        this.link = link;
        this.window = new FetchWindow(window, link.callbacks());
    }

    /** Limits the memory of fetches: each must enter the window before it acquires memory. */
    FetchWindow window() {
        return window;
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
            if (look == null && !over) {
                lookIn(link.transferTimeout().toNanos());
            }
        }
        long id = link.sends().newId();
        link.sends().post(id, reads(chunk, sink, id), fetch);
    }

    /** Called when the connection is over: cancels the timer, which would keep the connection in memory. */
    void disconnected() {
        synchronized (underWay) {
            over = true;
            if (look != null) {
                look.cancel();
            }
        }
        window.disconnected();
    }

    private void lookIn(long nanos) {
        look = link.time().after(Duration.ofNanos(Math.max(0, nanos)), this::look);
    }

    private void look() {
        boolean late;
        synchronized (underWay) {
            look = null;
            Fetch oldest = underWay.peek();
            if (oldest == null || over) {
                return;
            }
            long left = oldest.deadline - link.time().nanoTime();
            late = left <= 0;
            if (!late) {
                lookIn(left);
            }
        }
        if (late) {
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

    private static List<WorkRequest> reads(ReadChunk chunk, MemorySegment sink, long id) {
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
