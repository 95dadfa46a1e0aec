// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.client;

import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;
import org.emplace.benchmarks.load.Load;

/** A thread for each call in flight, for clients that block in each call. */
final class CallingThreads implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /**
     * Runs a part of the load on each thread, and waits for all of them.
     *
     * @param part makes its share of the calls, and returns their durations
     * @param durations the durations of all parts are added to it
     */
    void run(Load load, Callable<Histogram> part, Histogram durations) throws Exception {
        for (Future<Histogram> done : threads.invokeAll(Collections.nCopies(load.inFlight(), part))) {
            durations.add(done.get());
        }
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
