// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import org.emplace.rdma.Completion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.WorkRequest;
import org.emplace.rpc.transport.IntTable;
import org.emplace.rpc.transport.StallWatch;
import org.emplace.rpc.transport.Timekeeper;

/**
 * Posts work requests that belong together, and says when the last of them has ended. A peer that lets none end for too long loses its
 * connection: it would otherwise hold their memory for ever. Safe for use by several threads.
 */
public final class SendQueue {

    /** Who is told of the end of what was posted. */
    @FunctionalInterface
    public interface EndListener {
        /**
         * All has ended. Called once, on a provider's thread; on the posting thread where the connection is over.
         *
         * @param status SUCCESS, or the first other one
         */
        void ended(Completion.Status status);
    }

    private final QueuePair queuePair;
    private final StallWatch stallWatch;
    /** What has not ended, by id. Guarded by itself, as is what follows. */
    private final IntTable<EndListener> posted = new IntTable<>();

    private int nextId;
    private long completions;
    private boolean over;

    /**
     * The send queue of one connection.
     *
     * @param queuePair whose completions, but for those of Receives, are passed to {@link #completed}
     * @param timeout how long to wait for the next completion while there is work outstanding, before the connection is closed
     */
    public SendQueue(QueuePair queuePair, Timekeeper time, Duration timeout) {
        this.queuePair = queuePair;
        this.stallWatch = new StallWatch(time, timeout, 1, this::isIdle, this::completions, () -> {
            System.getLogger(SendQueue.class.getName())
                    .log(
                            Level.WARNING,
                            "rdma to {0}: nothing that was posted ended within {1}, closing",
                            queuePair.remoteAddress(),
                            timeout);
            queuePair.close();
        });
    }

    /** An id for the work requests of one {@link #post}. */
    public long newId() {
        synchronized (posted) {
            return nextId++;
        }
    }

    /**
     * Posts work requests.
     *
     * @param id from {@link #newId}
     * @param requests at least one, all with this id
     */
    public void post(long id, List<WorkRequest> requests, EndListener listener) {
        if (enter(id, requests.size() == 1 ? listener : new Batch(requests.size(), listener))) {
            queuePair.post(requests);
            stallWatch.watch();
        }
    }

    /**
     * Posts one work request.
     *
     * @param request with an id from {@link #newId}
     */
    public void post(WorkRequest request, EndListener listener) {
        if (enter(request.id(), listener)) {
            queuePair.post(request);
            stallWatch.watch();
        }
    }

    /** Whether the connection is not over yet; where it is, the listener has been told. */
    private boolean enter(long id, EndListener listener) {
        boolean late;
        synchronized (posted) {
            late = over;
            if (!late) {
                posted.putIfAbsent((int) id, listener);
            }
        }
        if (late) {
            listener.ended(Completion.Status.FLUSHED);
        }
        return !late;
    }

    /** Takes note of a completion of anything but a Receive. */
    public void completed(Completion completion) {
        EndListener last;
        synchronized (posted) {
            completions++;
            EndListener listener = posted.get((int) completion.id());
            last = listener instanceof Batch batch && !batch.isLast(completion.status()) ? null : listener;
            if (last != null) {
                posted.remove((int) completion.id());
            }
        }
        if (last != null) {
            last.ended(completion.status());
        }
    }

    /** The connection is over: there are no completions any more, and what is posted from here on is flushed at once. */
    public void disconnected() {
        List<EndListener> unended;
        synchronized (posted) {
            over = true;
            unended = posted.values();
            posted.clear();
        }
        stallWatch.end();
        for (EndListener listener : unended) {
            listener.ended(Completion.Status.FLUSHED);
        }
    }

    private boolean isIdle() {
        synchronized (posted) {
            return posted.size() == 0;
        }
    }

    private long completions() {
        synchronized (posted) {
            return completions;
        }
    }

    /** Several work requests that were posted together. */
    private static final class Batch implements EndListener {
        private final EndListener listener;
        private int left;
        private Completion.Status status = Completion.Status.SUCCESS;

        Batch(int requests, EndListener listener) {
            this.left = requests;
            this.listener = listener;
        }

        /** Notes that one has ended. Whether it was the last. */
        boolean isLast(Completion.Status ending) {
            if (status == Completion.Status.SUCCESS) {
                status = ending;
            }
            return --left == 0;
        }

        @Override
        public void ended(Completion.Status last) {
            listener.ended(status == Completion.Status.SUCCESS ? last : status);
        }
    }
}
