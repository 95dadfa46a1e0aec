// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.client;

import java.io.IOException;
import org.HdrHistogram.Histogram;
import org.emplace.benchmarks.load.Load;

/** Something that can put a load on a server. */
interface Client extends AutoCloseable {

    /**
     * Does all of a load.
     *
     * @param durations records the nanoseconds that each call took, where calls can be told from each other
     */
    void run(Load load, Histogram durations) throws Exception;

    @Override
    void close() throws IOException;
}
