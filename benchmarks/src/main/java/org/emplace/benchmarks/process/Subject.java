// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.process;

import java.io.IOException;
import org.emplace.benchmarks.load.Load;

/** Something to be measured, in processes of its own. */
public interface Subject extends AutoCloseable {

    /** Its name in tables. */
    String name();

    /** Whether it can be put under a load of this kind. */
    boolean takes(Load load);

    /** Whether its first runs are slower than those after them. If not, it makes as many calls as the load has. */
    boolean warmsUp();

    /** Runs a load once. */
    Measured measure(Load load) throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
}
