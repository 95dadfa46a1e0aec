// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.emplace.rdma.Completion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.WorkRequest;
import org.emplace.rpc.transport.StallWatch;
import org.emplace.rpc.transport.Timekeeper;

/**
 * Posts work requests that belong together, and says when the last of them has ended. A peer that lets none end for too long loses its
 * connection: it would otherwise hold their memory for ever. Safe for use by several threads.
 */
public final class SendQueue {
    private final QueuePair queuePair;
    private final StallWatch stallWatch;
    private final Map<Long, Batch> batches = new ConcurrentHashMap<>();
    private final AtomicLong nextId = new AtomicLong();
    private final AtomicLong completions = new AtomicLong();
    private volatile boolean over;

    /**
     * The send queue of one connection.
     *
     * @param queuePair whose completions, but for those of Receives, are passed to {@link #completed}
     * @param patience how long to wait for the next completion while there is work outstanding, before the connection is closed
     */
    public SendQueue(QueuePair queuePair, Timekeeper time, Duration patience) {
        this.queuePair = queuePair;
        this.stallWatch = new StallWatch(time, patience, 1, batches::isEmpty, completions::get, () -> {
            System.getLogger(SendQueue.class.getName())
                    .log(
                            Level.WARNING,
                            "rdma to {0}: nothing that was posted ended within {1}, closing",
                            queuePair.remoteAddress(),
                            patience);
            queuePair.close();
        });
    }

    /** The id for the work requests of a new batch. */
    public long newBatch() {
        return nextId.getAndIncrement();
    }

    /**
     * Posts a batch.
     *
     * @param batch from {@link #newBatch}
     * @param requests at least one, all with the batch's id
     * @param ended called once, on a provider's thread, when all of them have ended: with SUCCESS, or with the first other status; by this
     *     thread where the connection is over
     */
    public void post(long batch, List<WorkRequest> requests, Consumer<Completion.Status> ended) {
        batches.put(batch, new Batch(requests.size(), ended));
        if (over) {
            flush();
        } else {
            queuePair.post(requests);
            stallWatch.watch();
        }
    }

    /** Takes note of a completion of anything but a Receive. */
    public void completed(Completion completion) {
        completions.incrementAndGet();
        Batch batch = batches.get(completion.id());
        if (batch != null && batch.completed(completion.status()) && batches.remove(completion.id(), batch)) {
            batch.ended.accept(batch.status);
        }
    }

    /** The connection is over: there are no completions any more, and what is posted from here on is flushed at once. */
    public void disconnected() {
        over = true;
        stallWatch.end();
        flush();
    }

    private void flush() {
        for (Long id : List.copyOf(batches.keySet())) {
            Batch unended = batches.remove(id);
            if (unended != null) {
                unended.ended.accept(Completion.Status.FLUSHED);
            }
        }
    }

    /** What was posted together; used by the one thread that hears of completions. */
    private static final class Batch {
        private final Consumer<Completion.Status> ended;
        private int left;
        private Completion.Status status = Completion.Status.SUCCESS;

        Batch(int left, Consumer<Completion.Status> ended) {
            this.left = left;
            this.ended = ended;
        }

        /** Whether that was the last one. */
        boolean completed(Completion.Status ending) {
            if (status == Completion.Status.SUCCESS) {
                status = ending;
            }
            return --left == 0;
        }
    }
}
