// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.reactor.IntTable;
import org.emplace.reactor.LogSampler;
import org.emplace.reactor.Timekeeper;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.limits.StallWatch;

/**
 * Posts groups of work requests, and reports when the last one of a group has completed. If a peer receives too few
 * bytes, its connection is closed, because the peer could otherwise hold the memory of the requests forever. Safe for
 * use by several threads.
 */
public final class SendQueue {
    private static final System.Logger LOG = System.getLogger(SendQueue.class.getName());

    /** Called when a group of work requests has completed. */
    @FunctionalInterface
    public interface CompletionListener {
        /**
         * Called once: on a provider's thread or, if the connection is over, on the posting thread.
         *
         * @param status SUCCESS, or the first failure
         */
        void completed(Completion.Status status);
    }

    private final QueuePair queuePair;
    private final LogSampler lost;
    private final StallWatch stallWatch;
    /** The groups that have not completed, by id. This field and those below are guarded by it. */
    private final IntTable<CompletionListener> posted = new IntTable<>();

    private int nextId;
    private long bytesPosted;
    private long bytesMoved;
    private boolean over;

    /**
     * Creates the send queue of one connection.
     *
     * @param queuePair the connection; pass its completions, except those of Receives, to {@link #completed}
     * @param options give the minimum drain and the transfer timeout
     * @param lost counts connections that are closed because of their peers
     */
    public SendQueue(QueuePair queuePair, Timekeeper time, ConnectionOptions options, LogSampler lost) {
        this.queuePair = queuePair;
        this.lost = lost;
        Duration timeout = options.transferTimeout();
        int least = Math.max(1, options.minDrain());
        this.stallWatch = new StallWatch(time, timeout, least, this::bytesWaiting, this::bytesMoved, () -> {
            lost.event(count -> LOG.log(
                    Level.WARNING,
                    "rdma to {0}: closed, because less than {1} bytes of the posted data were transferred within {2}; such connections so far: {3}",
                    queuePair.remoteAddress(),
                    least,
                    timeout,
                    count));
            queuePair.close();
        });
    }

    /** Returns an id for one group of work requests. */
    public int newId() {
        synchronized (posted) {
            return nextId++;
        }
    }

    /**
     * Posts a group of work requests. If that fails, the connection ends, and its end calls the listener.
     *
     * @param id an id from {@link #newId}
     * @param requests at least one, all with this id
     * @param listener called when all have completed
     */
    public void post(int id, List<WorkRequest> requests, CompletionListener listener) {
        long bytes = 0;
        for (int i = 0; i < requests.size(); i++) {
            bytes += requests.get(i).length();
        }
        if (enter(id, bytes, requests.size(), listener)) {
            try {
                queuePair.post(requests);
                stallWatch.watch();
            } catch (RuntimeException | Error broken) {
                failed(broken);
            }
        }
    }

    /**
     * Posts one work request. If that fails, the connection ends, and its end calls the listener.
     *
     * @param request has an id from {@link #newId}
     * @param listener called when it has completed
     */
    public void post(WorkRequest request, CompletionListener listener) {
        if (enter(request.id(), request.length(), 1, listener)) {
            try {
                queuePair.post(request);
                stallWatch.watch();
            } catch (RuntimeException | Error broken) {
                failed(broken);
            }
        }
    }

    /** Adds a group. If the connection is over, or the group cannot be added, calls the listener and returns false. */
    private boolean enter(int id, long bytes, int requests, CompletionListener listener) {
        boolean isAdded = false;
        try {
            CompletionListener last = requests == 1 ? listener : new Batch(requests, listener);
            synchronized (posted) {
                isAdded = !over && posted.putIfAbsent(id, last);
                bytesPosted += isAdded ? bytes : 0;
            }
        } catch (RuntimeException | Error broken) {
            failed(broken);
        }
        if (!isAdded) {
            listener.completed(Completion.Status.FLUSHED);
        }
        return isAdded;
    }

    /** Ends the connection. The device may have got requests, so what was added ends only with the connection. */
    private void failed(Throwable broken) {
        queuePair.reset();
        lost.failure(LOG, "rdma to " + queuePair.remoteAddress() + ": closed, because work cannot be posted", broken);
    }

    /** Handles the completion of a work request. */
    public void completed(Completion completion) {
        CompletionListener last;
        synchronized (posted) {
            bytesMoved += completion.length();
            CompletionListener listener = posted.get(completion.id());
            last = listener instanceof Batch batch && !batch.isLast(completion.status()) ? null : listener;
            if (last != null) {
                posted.remove(completion.id());
            }
        }
        if (last != null) {
            last.completed(completion.status());
        }
    }

    /**
     * Called when the connection is over: there are no further completions, and later work requests are flushed at
     * once.
     */
    public void disconnected() {
        List<CompletionListener> incomplete;
        synchronized (posted) {
            over = true;
            incomplete = posted.values();
            posted.clear();
        }
        stallWatch.stop();
        Throwable first = null;
        for (CompletionListener listener : incomplete) {
            try {
                listener.completed(Completion.Status.FLUSHED);
            } catch (RuntimeException | Error broken) {
                // The others hold memory, too.
                first = first == null ? broken : first;
            }
        }
        if (first instanceof Error error) {
            throw error;
        } else if (first != null) {
            throw (RuntimeException) first;
        }
    }

    private long bytesWaiting() {
        synchronized (posted) {
            return posted.size() == 0 ? 0 : bytesPosted - bytesMoved;
        }
    }

    private long bytesMoved() {
        synchronized (posted) {
            return bytesMoved;
        }
    }

    /** A group of several work requests. */
    private static final class Batch implements CompletionListener {
        private final CompletionListener listener;
        private int left;
        private Completion.Status status = Completion.Status.SUCCESS;

        Batch(int requests, CompletionListener listener) {
            this.left = requests;
            this.listener = listener;
        }

        /** Counts a completion. Returns whether it was the last one. */
        boolean isLast(Completion.Status ending) {
            if (status == Completion.Status.SUCCESS) {
                status = ending;
            }
            return --left == 0;
        }

        @Override
        public void completed(Completion.Status last) {
            listener.completed(status == Completion.Status.SUCCESS ? last : status);
        }
    }
}
