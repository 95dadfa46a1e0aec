// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The subjects to compare, which are closed together. Used by one thread. */
public final class Subjects implements AutoCloseable {
    private final List<Subject> all = new ArrayList<>();

    /** Adds a subject and takes ownership of it. Returns it. */
    public <S extends Subject> S add(S subject) {
        all.add(subject);
        return subject;
    }

    /** The subjects in the order in which they were added. */
    public List<Subject> all() {
        return List.copyOf(all);
    }

    /** Closes all subjects, even if closing one fails. */
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
