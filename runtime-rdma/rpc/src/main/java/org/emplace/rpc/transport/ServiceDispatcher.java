// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.emplace.reactor.RuntimeThreads;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcService;

/**
 * Answers calls by services, on threads of its own: user code runs on a transport's threads only where it was {@linkplain
 * RpcService#answeringAtOnce said} to be fit for that. A call without a handler is answered on the transport's thread too. One connection has at most three quarters of the threads at a time, so that a peer whose calls are stuck does not keep the others from being answered. {@code queue} calls
 * wait; those beyond are answered with SYSTEM_ERR at once. Threads are started when calls come and end when none do. Safe for use by several
 * threads.
 */
public final class ServiceDispatcher implements CallDispatcher, AutoCloseable {
    private static final Logger LOG = System.getLogger(ServiceDispatcher.class.getName());
    private static final Duration IDLE = Duration.ofSeconds(30);

    private final ServiceRegistry services = new ServiceRegistry();
    private final AtomicLong refused = new AtomicLong();
    private final FailureLog failures = new FailureLog(LOG);
    private final UnansweredCalls unanswered = new UnansweredCalls();
    private final ThreadPoolExecutor executor;
    private final ThreadShares shares;
    private final int queue;
    private volatile boolean draining;

    /**
     * A dispatcher without services.
     *
     * @param threads that answer calls at a time; positive
     * @param queue calls that wait for a thread; positive
     */
    public ServiceDispatcher(int threads, int queue) {
        this.queue = queue;
        this.shares = new ThreadShares(threads - threads / 4, threads + queue);
        this.executor = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE.toSeconds(),
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                RuntimeThreads.named("emplace-rpc-server"));
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
        call.whenOver(unanswered::end);
        if (draining) {
            call.drop();
            return;
        }
        ServerExchange exchange = ServerExchange.admit(call, services, failures);
        if (exchange == null) {
            return;
        }
        if (exchange.isAtOnce()) {
            exchange.run();
            return;
        }
        switch (shares.admit(exchange.connection(), exchange)) {
            case RUNS -> execute(new Turn(exchange));
            case WAITS -> {}
            case REFUSED -> refuse(exchange);
        }
    }

    /** The log says so of the 1st, 2nd, 4th, 8th and so on: peers are not to decide how long it gets. */
    private void refuse(ServerExchange exchange) {
        long count = refused.incrementAndGet();
        if (Long.bitCount(count) == 1) {
            LOG.log(
                    Level.WARNING,
                    "refused a call from {0}, {1} so far: {2} calls wait already; give the server more threads or a longer queue",
                    exchange.connection().remoteAddress(),
                    count,
                    queue);
        }
        exchange.overloaded();
    }

    private void execute(Turn turn) {
        try {
            executor.execute(turn);
        } catch (RejectedExecutionException | OutOfMemoryError unavailable) {
            // The dispatcher is closed, or the system has no thread to give.
            drop(turn);
        }
    }

    /** With all that would have come after it. */
    private void drop(Turn turn) {
        RpcConnection connection = turn.exchange.connection();
        ServerExchange exchange = turn.exchange;
        while (exchange != null) {
            exchange.drop();
            exchange = shares.ended(connection);
        }
    }

    /**
     * Waits until the replies to all calls that came so far have been sent. Further ones are dropped, not refused: their connections are about to end, and the
     * callers may repeat them elsewhere.
     *
     * @return whether they were in time
     */
    public boolean drain(Duration limit) throws InterruptedException {
        draining = true;
        return unanswered.awaitNone(limit);
    }

    /** Drops further calls and those that wait, and interrupts those that run. */
    @Override
    public void close() {
        draining = true;
        shares.takeWaiting().forEach(ServerExchange::drop);
        executor.shutdownNow().forEach(waiting -> drop((Turn) waiting));
    }

    /** A call's time on a thread; the next one of its connection takes its place at the end of the line. */
    private final class Turn implements Runnable {
        private final ServerExchange exchange;

        Turn(ServerExchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public void run() {
            try {
                exchange.run();
            } finally {
                ServerExchange next = shares.ended(exchange.connection());
                if (next != null) {
                    execute(new Turn(next));
                }
            }
        }
    }
}
