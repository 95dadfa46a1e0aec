// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** Copies several files at a time, so that a tree of small ones keeps the connection busy. */
final class CopyTasks {
    private static final int WORKERS = 8;
    private static final int AHEAD = 64;

    private final ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
    private final Semaphore room = new Semaphore(AHEAD);
    private final CopyListener listener;

    CopyTasks(CopyListener listener) {
        this.listener = listener;
    }

    /** The copying of one file. */
    @FunctionalInterface
    interface Task {
        /** Copies it. */
        void run() throws IOException, InterruptedException;
    }

    /** Hands a file to the workers; waits where they are far behind. */
    void submit(String what, Task task) throws InterruptedException {
        room.acquire();
        workers.execute(() -> {
            try {
                task.run();
            } catch (IOException e) {
                listener.failed(what, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                room.release();
            }
        });
    }

    /** Waits until every file has been copied or has failed: each call that they make has its own time limit. */
    void finish() throws InterruptedException {
        room.acquire(AHEAD);
        workers.shutdown();
    }

    /** Gives up what is still running. Without effect after {@link #finish}. */
    void stop() {
        workers.shutdownNow();
    }
}
