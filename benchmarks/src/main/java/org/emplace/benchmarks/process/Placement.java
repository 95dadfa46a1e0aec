// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.process;

import java.util.List;

/** Where a client and its server may run. */
public enum Placement {
    /** Both on all processors. */
    ANYWHERE,
    /**
     * Each on its own half of the processors, as on two machines. So the cost of a call does not depend on whether the scheduler has
     * put both on one processor. A machine with one processor has no halves; there, this is {@link #ANYWHERE}.
     */
    APART;

    /** Returns the words before the command that starts the server. */
    List<String> ofServer() {
        return half(0);
    }

    /** Returns the words before the command that starts the client. */
    List<String> ofClient() {
        return half(1);
    }

    private List<String> half(int index) {
        int size = Runtime.getRuntime().availableProcessors() / 2;
        if (this == ANYWHERE || size == 0) {
            return List.of();
        }
        int first = index * size;
        return List.of("taskset", "--cpu-list", first + "-" + (first + size - 1));
    }
}
