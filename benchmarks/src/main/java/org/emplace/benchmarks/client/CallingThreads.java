// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.client;

import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;
import org.emplace.benchmarks.load.Load;

/** As many threads as a load has calls in flight, for a client that waits for each of its calls. */
final class CallingThreads implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /**
     * Runs a thread's part of the load on each of them, and waits for all.
     *
     * @param part makes its share of the calls; how long each took
     * @param durations gets those of all parts
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
