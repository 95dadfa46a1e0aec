// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import org.emplace.rdma.Completion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.WorkRequest;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.transport.IntTable;
import org.emplace.rpc.transport.LogSampler;
import org.emplace.rpc.transport.StallWatch;
import org.emplace.rpc.transport.Timekeeper;

/**
 * Posts work requests that belong together, and reports when the last of them has ended. A peer that takes too few bytes loses its connection,
 * because it could otherwise hold their memory for ever. Safe for use by several threads.
 */
public final class SendQueue {

    /** Is told when posted work requests have ended. */
    @FunctionalInterface
    public interface EndListener {
        /**
         * All has ended. Called once, on a provider's thread; on the posting thread if the connection is over.
         *
         * @param status SUCCESS, or the first other one
         */
        void ended(Completion.Status status);
    }

    private final QueuePair queuePair;
    private final StallWatch stallWatch;
    /** The work requests that have not ended, by id. Guarded by itself, as is what follows. */
    private final IntTable<EndListener> posted = new IntTable<>();

    private int nextId;
    private long bytesPosted;
    private long bytesMoved;
    private boolean over;

    /**
     * The send queue of one connection.
     *
     * @param queuePair whose completions, but for those of Receives, are passed to {@link #completed}
     * @param options say how much has to end in what time, before the connection is closed
     * @param lost told of a connection that is closed for that
     */
    public SendQueue(QueuePair queuePair, Timekeeper time, ConnectionOptions options, LogSampler lost) {
        this.queuePair = queuePair;
        Duration timeout = options.transferTimeout();
        int least = Math.max(1, options.minimumDrain());
        this.stallWatch = new StallWatch(time, timeout, least, this::bytesWaiting, this::bytesMoved, () -> {
            lost.event(count -> System.getLogger(SendQueue.class.getName())
                    .log(
                            Level.WARNING,
                            "rdma to {0}: closing, less than {1} bytes of what was posted were moved within {2}; connections lost so far: {3}",
                            queuePair.remoteAddress(),
                            least,
                            timeout,
                            count));
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
        long bytes = 0;
        for (int i = 0; i < requests.size(); i++) {
            bytes += requests.get(i).length();
        }
        if (enter(id, bytes, requests.size() == 1 ? listener : new Batch(requests.size(), listener))) {
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
        if (enter(request.id(), request.length(), listener)) {
            queuePair.post(request);
            stallWatch.watch();
        }
    }

    /** Whether the connection is not over yet. If it is, the listener has been told. */
    private boolean enter(long id, long bytes, EndListener listener) {
        boolean late;
        synchronized (posted) {
            late = over;
            if (!late) {
                posted.putIfAbsent((int) id, listener);
                bytesPosted += bytes;
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
            bytesMoved += completion.length();
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

    /** The connection is over: there are no further completions, and later work requests are flushed at once. */
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
