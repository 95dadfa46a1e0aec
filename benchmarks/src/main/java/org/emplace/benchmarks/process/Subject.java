// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.process;

import java.io.IOException;
import org.emplace.benchmarks.load.Load;

/** A client and server to be measured, in their own processes. */
public interface Subject extends AutoCloseable {

    /** The name in tables. */
    String name();

    /** Whether the subject supports a load. */
    boolean takes(Load load);

    /** Whether its first runs are slower than later ones. If not, it makes exactly the load's number of calls. */
    boolean warmsUp();

    /** Runs a load once. */
    Measured measure(Load load) throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
}
