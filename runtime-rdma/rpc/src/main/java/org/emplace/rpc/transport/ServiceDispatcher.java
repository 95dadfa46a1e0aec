// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.emplace.reactor.RuntimeThreads;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.ServerLoad;
import org.emplace.rpc.ServerObserver;
import org.jspecify.annotations.Nullable;

/**
 * Answers calls by services, on threads of its own. Only procedures that are {@linkplain RpcService#answeringAtOnce answered at once} run on a
 * transport's threads, and calls without a handler are answered there too. Calls for which there is no thread wait in a queue. Calls that find no
 * place there are answered with SYSTEM_ERR at once. Threads are started when calls come, and end when they have had none for a second. Safe for use
 * by several threads.
 */
public final class ServiceDispatcher implements AutoCloseable {
    private static final Logger LOG = System.getLogger(ServiceDispatcher.class.getName());
    private static final Duration IDLE = Duration.ofSeconds(1);

    private final ServiceRegistry services = new ServiceRegistry();
    private final LogSampler refusals = new LogSampler();
    private final FailureLog failures = new FailureLog(LOG);
    private final UnansweredCalls unanswered = new UnansweredCalls();
    private final Runnable answered = unanswered::end;
    private final ExecutorService executor;
    private final ThreadShares shares;
    private final ServerObserver observer;
    private final @Nullable ReplyCache replies;
    /** How many calls the current thread is answering. */
    private final ThreadLocal<Integer> answering = ThreadLocal.withInitial(() -> 0);

    private final ThreadLocal<Boolean> answeringAtOnce = ThreadLocal.withInitial(() -> false);
    private volatile boolean draining;

    /**
     * A dispatcher without services, for the calls of one peer over one connection: they have all threads and the whole queue, and a duplicate is a
     * new call.
     *
     * @param threads that answer calls at a time; positive
     * @param queue calls that wait for a thread; positive
     */
    public ServiceDispatcher(int threads, int queue) {
        this(executor(threads), new ThreadShares(threads, queue, false), null, ServerObserver.NONE);
    }

    /**
     * A dispatcher without services, for the calls of many peers. Neither a connection nor a peer, that is an IP address, can take all threads or
     * fill the queue: one connection can have about three quarters and one peer seven eighths of each, and those who come later the same
     * fraction of what is left. Duplicates of calls that are not idempotent are answered with the replies to these.
     *
     * @param threads that answer calls at a time; positive
     * @param queue calls that wait for a thread; positive
     * @param replies that are kept for duplicates; not negative
     * @param replyBytes of the replies that are kept; not negative
     * @param observer told of each call that is over
     */
    public static ServiceDispatcher forManyPeers(
            int threads, int queue, int replies, long replyBytes, ServerObserver observer) {
        return forManyPeers(executor(threads), threads, queue, replies, replyBytes, observer);
    }

    /**
     * As {@link #forManyPeers(int, int, int, long, ServerObserver)}, on the given threads.
     *
     * @param executor runs as many calls at a time as {@code threads} says; taken over
     */
    public static ServiceDispatcher forManyPeers(
            ExecutorService executor, int threads, int queue, int replies, long replyBytes, ServerObserver observer) {
        return new ServiceDispatcher(
                executor, new ThreadShares(threads, queue, true), new ReplyCache(replies, replyBytes), observer);
    }

    private ServiceDispatcher(
            ExecutorService executor, ThreadShares shares, @Nullable ReplyCache replies, ServerObserver observer) {
        this.executor = executor;
        this.shares = shares;
        this.replies = replies;
        this.observer = observer;
    }

    private static ExecutorService executor(int threads) {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE.toSeconds(),
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                RuntimeThreads.named("emplace-rpc-server"));
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /**
     * Serves one more version of a program, from now on.
     *
     * @throws IllegalArgumentException if it is served already
     */
    public void add(RpcService service) {
        services.add(service);
    }

    /**
     * Takes over a received call: answers it exactly once by {@link IncomingCall#reply}, {@link IncomingCall#refuseChunks} or
     * {@link IncomingCall#drop}. Called on a transport's thread; never blocks and never throws.
     */
    public void dispatch(IncomingCall call) {
        unanswered.begin();
        CallMeasurement measurement = CallMeasurement.of(call, observer);
        call.whenOver(
                measurement == CallMeasurement.NONE
                        ? answered
                        : () -> {
                            measurement.over();
                            unanswered.end();
                        });
        if (draining) {
            call.drop();
            return;
        }
        ServerExchange exchange = ServerExchange.admit(call, services, replies, failures, measurement);
        if (exchange == null) {
            return;
        }
        if (exchange.isAtOnce()) {
            answerAtOnce(exchange);
            return;
        }
        if (!exchange.fetchArguments(() -> admit(exchange))) {
            admit(exchange);
        }
    }

    private void admit(ServerExchange exchange) {
        switch (shares.admit(exchange)) {
            case RUNS -> run(exchange);
            case WAITS -> {}
            case REFUSED -> {
                ServerExchange displaced = shares.displaceFor(exchange);
                refuse(displaced == null ? exchange : displaced);
            }
        }
    }

    private void refuse(ServerExchange exchange) {
        refusals.event(count -> LOG.log(
                Level.WARNING,
                "refused a call from {0}, {1} so far: too many wait already; give the server more threads or a longer"
                        + " queue",
                exchange.connection().remoteAddress(),
                count));
        exchange.overloaded();
    }

    private void answerAtOnce(ServerExchange exchange) {
        boolean outer = answeringAtOnce.get();
        answeringAtOnce.set(true);
        try {
            answer(exchange);
        } finally {
            if (!outer) {
                answeringAtOnce.remove();
            }
        }
    }

    /**
     * What the server has in hand now.
     *
     * @param limit the server's, which counts its connections
     */
    public ServerLoad load(ConnectionLimit limit) {
        return new ServerLoad(
                limit.taken(),
                limit.refused(),
                shares.running(),
                shares.waiting(),
                replies == null ? 0 : replies.size(),
                replies == null ? 0 : replies.bytes());
    }

    /** Whether the current thread, which serves connections, is answering a call at once. */
    public boolean isAnsweringAtOnce() {
        return answeringAtOnce.get();
    }

    private void answer(ServerExchange exchange) {
        int outer = answering.get();
        answering.set(outer + 1);
        try {
            exchange.run();
        } finally {
            if (outer == 0) {
                answering.remove();
            } else {
                answering.set(outer);
            }
        }
    }

    private void run(ServerExchange exchange) {
        if (!start(exchange)) {
            ended(exchange);
        }
    }

    /** A call has left its thread, or got none. The next ones get theirs. */
    private void ended(ServerExchange exchange) {
        List<ServerExchange> first = shares.ended(exchange);
        if (first.isEmpty()) {
            return;
        }
        Deque<ServerExchange> next = new ArrayDeque<>(first);
        while (!next.isEmpty()) {
            ServerExchange starting = next.remove();
            if (!start(starting)) {
                next.addAll(shares.ended(starting));
            }
        }
    }

    /** Gives a call a thread; false if there was none, and then the call is over. */
    private boolean start(ServerExchange exchange) {
        try {
            executor.execute(new Turn(exchange));
            return true;
        } catch (RejectedExecutionException closed) {
            exchange.drop();
        } catch (OutOfMemoryError noThread) {
            refuse(exchange);
        }
        return false;
    }

    /**
     * Waits until the replies to all calls that came so far have been sent. Further ones are dropped, not refused: their connections are about to end, and the
     * callers may repeat them elsewhere. A thread that is answering a call itself does not wait for that one.
     *
     * @return whether they were in time
     */
    public boolean drain(Duration limit) throws InterruptedException {
        draining = true;
        return unanswered.awaitOthers(answering.get(), limit);
    }

    /** Drops further calls and those that wait, and interrupts those that run. */
    @Override
    public void close() {
        draining = true;
        shares.takeWaiting().forEach(ServerExchange::drop);
        executor.shutdownNow().forEach(waiting -> ((Turn) waiting).drop());
    }

    /** A call's time on a thread. */
    private final class Turn implements Runnable {
        private final ServerExchange exchange;

        Turn(ServerExchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public void run() {
            try {
                answer(exchange);
            } finally {
                ended(exchange);
            }
        }

        void drop() {
            exchange.drop();
            ended(exchange);
        }
    }

    /** How many calls of a server are not over: their replies have not been sent. */
    private static final class UnansweredCalls {
        private int count;
        /** How many of them are answered by threads that wait for the others. */
        private int waiting;

        synchronized void begin() {
            count++;
        }

        synchronized void end() {
            count--;
            notifyAll();
        }

        /**
         * Waits until all are over but the calls of those who wait: they cannot end before their handlers do.
         *
         * @param own calls that the current thread is answering
         * @return false if they are not over within the limit
         */
        synchronized boolean awaitOthers(int own, Duration limit) throws InterruptedException {
            long deadline = System.nanoTime() + limit.toNanos();
            waiting += own;
            notifyAll();
            try {
                while (count > waiting) {
                    long left = deadline - System.nanoTime();
                    if (left <= 0) {
                        return false;
                    }
                    wait(left / 1_000_000 + 1);
                }
                return true;
            } finally {
                waiting -= own;
            }
        }
    }
}
