// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What is measured side by side; all of it ends together. Used by one thread. */
public final class Subjects implements AutoCloseable {
    private final List<Subject> all = new ArrayList<>();

    /** Takes one over; the answer is the same one. */
    public <S extends Subject> S add(S subject) {
        all.add(subject);
        return subject;
    }

    /** In the order in which they were added. */
    public List<Subject> all() {
        return List.copyOf(all);
    }

    /** Ends every one of them, also where another does not end well. */
    @Override
    public void close() throws IOException {
        IOException failure = null;
        for (Subject subject : all) {
            try {
                subject.close();
            } catch (IOException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
