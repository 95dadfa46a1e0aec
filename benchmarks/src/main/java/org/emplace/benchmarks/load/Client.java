// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

import java.io.IOException;
import org.HdrHistogram.Histogram;

/** A client that can run a load against a server. */
public interface Client extends AutoCloseable {

    /**
     * Runs a load.
     *
     * @param durations records the duration of each call in nanoseconds
     */
    void run(Load load, Histogram durations) throws Exception;

    @Override
    void close() throws IOException;
}
