// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.process;

import java.io.IOException;
import org.emplace.benchmarks.load.Load;

/** A client and a server that occupy processors even when they are idle, and so are stopped while other subjects are measured. */
public final class SuspendedPair implements Subject {
    private final JavaPair pair;

    private SuspendedPair(JavaPair pair) {
        this.pair = pair;
    }

    /** Takes ownership of a pair, and suspends it. */
    public static SuspendedPair of(JavaPair pair) throws IOException, InterruptedException {
        pair.suspend();
        return new SuspendedPair(pair);
    }

    @Override
    public String name() {
        return pair.name();
    }

    @Override
    public boolean takes(Load load) {
        return pair.takes(load);
    }

    @Override
    public boolean warmsUp() {
        return pair.warmsUp();
    }

    @Override
    public Measured measure(Load load) throws IOException, InterruptedException {
        pair.resume();
        try {
            return pair.measure(load);
        } finally {
            pair.suspend();
        }
    }

    @Override
    public void close() throws IOException {
        try {
            pair.resume();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            pair.close();
        }
    }
}
