// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.emplace.rdma.Completion;

/** Completions on their way to the handler, in a list that is used again and again. */
final class Completions {
    private final List<Completion> ended = new ArrayList<>(2);
    private final List<Completion> view = Collections.unmodifiableList(ended);

    void add(Completion completion) {
        ended.add(completion);
    }

    boolean isEmpty() {
        return ended.isEmpty();
    }

    /** What the handler sees of them. */
    List<Completion> view() {
        return view;
    }

    void clear() {
        ended.clear();
    }
}
