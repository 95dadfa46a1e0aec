// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.emplace.rdma.Completion;
import org.emplace.rdma.provider.HandlerCalls;
import org.jspecify.annotations.Nullable;

/** Completions to be passed to the handler, in lists that are reused. On the loop. */
final class Completions {
    private Batch ended = new Batch();
    private @Nullable Batch spare;

    private static final class Batch {
        private final List<Completion> completions = new ArrayList<>(2);
        private final List<Completion> view = Collections.unmodifiableList(completions);
    }

    void add(Completion completion) {
        ended.completions.add(completion);
    }

    boolean isEmpty() {
        return ended.completions.isEmpty();
    }

    /**
     * Passes on the completions, and those that come meanwhile. If the handler ends the connection, that passes on the rest from within this call.
     */
    void deliver(HandlerCalls handler) {
        while (!isEmpty()) {
            Batch batch = ended;
            ended = spare == null ? new Batch() : spare;
            spare = null;
            handler.completed(batch.view);
            batch.completions.clear();
            spare = batch;
        }
    }
}
