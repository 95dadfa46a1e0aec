// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.emplace.rpc.RpcService;

/**
 * Answers calls by services, on threads of its own: user code never runs on a transport's threads. At most {@code queue} calls wait for a
 * thread; those beyond are answered with SYSTEM_ERR at once. Threads are started when calls come and end when none do. Safe for use by
 * several threads.
 */
public final class ServiceDispatcher implements CallDispatcher, AutoCloseable {
    private static final Duration IDLE = Duration.ofSeconds(30);

    private final ServiceRegistry services = new ServiceRegistry();
    private final UnansweredCalls unanswered = new UnansweredCalls();
    private final ThreadPoolExecutor executor;
    private final int queue;

    /**
     * A dispatcher without services.
     *
     * @param threads that answer calls at a time; positive
     * @param queue calls that wait for a thread; positive
     */
    public ServiceDispatcher(int threads, int queue) {
        this.queue = queue;
        this.executor = new ThreadPoolExecutor(
                threads, threads, IDLE.toSeconds(), TimeUnit.SECONDS, new ArrayBlockingQueue<>(queue), task -> {
                    Thread thread = new Thread(task, "emplace-rpc-server");
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
    }

    /**
     * Serves one more version of a program, from now on.
     *
     * @throws IllegalArgumentException if it is served already
     */
    public void add(RpcService service) {
        services.add(service);
    }

    @Override
    public void dispatch(IncomingCall call) {
        unanswered.begin();
        CallAnswer answer = new CallAnswer(services, call, unanswered::end);
        try {
            executor.execute(answer);
        } catch (RejectedExecutionException full) {
            if (executor.isShutdown()) {
                answer.drop();
            } else {
                answer.overloaded(queue + " calls wait already; give the server more threads or a longer queue");
            }
        }
    }

    /**
     * Waits for the calls that came so far to be answered. Further ones are dropped, not refused: their connections are about to end, and the
     * callers may repeat them elsewhere.
     *
     * @return whether they were in time
     */
    public boolean drain(Duration limit) throws InterruptedException {
        executor.shutdown();
        return unanswered.awaitNone(limit);
    }

    /** Drops further calls and those that wait, and interrupts those that run. */
    @Override
    public void close() {
        executor.shutdownNow().forEach(waiting -> ((CallAnswer) waiting).drop());
    }
}
