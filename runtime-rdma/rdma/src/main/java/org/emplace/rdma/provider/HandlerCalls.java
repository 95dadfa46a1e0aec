// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.provider;

import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.QueuePair.Handler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.WorkRequest.Completion;
import org.jspecify.annotations.Nullable;

/**
 * Calls one connection's {@link Handler} and counts its events. If the handler throws, its connection ends,
 * but nothing else is affected. Used by one thread at a time, in the order that the handler's contract requires.
 */
public final class HandlerCalls {
    private final Handler handler;
    private final ConnectionCounters counters;
    private final Object connection;
    private final Consumer<RdmaException> fault;

    /**
     * For a connection that is established or about to be.
     *
     * @param connection its {@code toString} identifies the connection in messages
     * @param fault ends the connection after an exception from any method but {@link Handler#disconnected}
     */
    public HandlerCalls(
            Handler handler, ConnectionCounters counters, Object connection, Consumer<RdmaException> fault) {
        this.handler = handler;
        this.counters = counters;
        this.connection = connection;
        this.fault = fault;
    }

    /** See {@link Handler#established}. */
    public void established(QueuePair queuePair) {
        try {
            handler.established(queuePair);
        } catch (Throwable e) {
            threw(e);
        }
    }

    /**
     * Counts completions and passes them to the handler. Does nothing if the list is empty. The caller may reuse the
     * list afterward.
     */
    public void completed(List<Completion> completions) {
        if (completions.isEmpty()) {
            return;
        }
        List<Completion> batch = Collections.unmodifiableList(completions);
        try {
            try {
                counters.completed(batch);
            } finally {
                handler.completed(batch);
            }
        } catch (Throwable e) {
            threw(e);
        }
    }

    /** See {@link Handler#disconnected}. */
    public void disconnected(@Nullable RdmaException cause) {
        try {
            counters.disconnected(cause);
        } finally {
            if (!isTold(cause)) {
                // Once more: for example, memory may have been lacking.
                isTold(cause);
            }
        }
    }

    /** Tells the handler that the connection is over. Returns false if it has thrown. */
    private boolean isTold(@Nullable RdmaException cause) {
        try {
            handler.disconnected(cause);
            return true;
        } catch (Throwable e) {
            counters.errors().log(connection, "the queue pair's handler threw an exception from disconnected", e);
            return false;
        }
    }

    private void threw(Throwable e) {
        fault.accept(new RdmaException(
                Reason.DISCONNECTED, connection + ": the queue pair's handler threw an exception", e));
    }
}
