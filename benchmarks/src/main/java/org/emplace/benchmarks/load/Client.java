// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

import java.io.IOException;
import org.HdrHistogram.Histogram;

/** Something that can put a load on a server. */
public interface Client extends AutoCloseable {

    /**
     * Does all of a load.
     *
     * @param durations records the nanoseconds that each call took
     */
    void run(Load load, Histogram durations) throws Exception;

    @Override
    void close() throws IOException;
}
