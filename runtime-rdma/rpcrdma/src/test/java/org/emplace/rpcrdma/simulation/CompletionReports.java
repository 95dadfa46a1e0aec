// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.provider.HandlerCalls;

/** Completions of one end of a connection on their way to its handler, to which they come late and several at a time. */
final class CompletionReports {
    private final Schedule schedule;
    private final HandlerCalls handler;
    private final Deque<Completion> waiting = new ArrayDeque<>();
    private long latest;
    private boolean established;
    private boolean reporting;

    CompletionReports(Schedule schedule, HandlerCalls handler) {
        this.schedule = schedule;
        this.handler = handler;
    }

    /** From now on the handler is told. */
    void establish() {
        established = true;
        report();
    }

    /** Whether the handler can be told of the end: it knows the connection, and is being told of nothing else. */
    boolean isIdle() {
        return established && !reporting;
    }

    void add(Completion completion) {
        waiting.add(completion);
        report();
    }

    /** Lets work end some time later, but in the order of these calls. */
    void inOrder(Runnable end) {
        latest = Math.max(latest + 1, schedule.nanoTime() + schedule.delay());
        schedule.at(latest, end);
    }

    /** Tells the handler of these after all others, now. */
    void handOverWith(List<Completion> last) {
        waiting.addAll(last);
        handOver(Integer.MAX_VALUE);
    }

    private void report() {
        if (established && !reporting && !waiting.isEmpty()) {
            reporting = true;
            schedule.soon(() -> {
                reporting = false;
                handOver(1 + schedule.random().nextInt(waiting.size() + 1));
                report();
            });
        }
    }

    private void handOver(int most) {
        List<Completion> batch = new ArrayList<>();
        while (batch.size() < most && !waiting.isEmpty()) {
            batch.add(waiting.remove());
        }
        handler.completed(batch);
    }
}
