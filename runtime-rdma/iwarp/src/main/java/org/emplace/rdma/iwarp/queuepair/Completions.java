// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.provider.HandlerCalls;
import org.jspecify.annotations.Nullable;

/** Completions that the handler has yet to get, in lists that are reused. Used on the loop. */
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
     * Passes the completions to the handler, including those added meanwhile. If the handler ends the connection, a nested call passes on the rest.
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
