// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.copy;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Works on several files at a time, so that a tree of small ones keeps the connection busy. */
final class FileTasks implements AutoCloseable {
    private static final int WORKERS = 16;
    private static final int AHEAD = 64;
    /** An interrupt ends a call at once, but not what waits for a local file, such as a pipe that nobody reads. */
    private static final int LONGEST_END_SECONDS = 3;

    private final ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
    private final Semaphore room = new Semaphore(AHEAD);
    private final AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();

    /** The work on one file. Reports its own failures. */
    @FunctionalInterface
    interface Task {
        /** Does it. */
        void run() throws InterruptedException;
    }

    /** Hands a file to the workers. Waits if many files are queued. */
    void submit(Task task) throws InterruptedException {
        room.acquire();
        workers.execute(() -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                fault.compareAndSet(null, e); // also a lack of memory: the file is missing
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                room.release();
            }
        });
    }

    /**
     * Waits until all work is done. Every call in it has a time limit.
     *
     * @throws RuntimeException that a task has thrown; or an {@link Error}
     */
    void finish() throws InterruptedException {
        room.acquire(AHEAD);
        room.release(AHEAD);
        Throwable thrown = fault.get();
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /** Ends the work that is still running, and waits for its end: what it has begun must not be done later. */
    @Override
    public void close() {
        workers.shutdownNow();
        try {
            workers.awaitTermination(LONGEST_END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
