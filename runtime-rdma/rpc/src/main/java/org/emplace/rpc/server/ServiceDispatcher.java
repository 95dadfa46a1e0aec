// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.server;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.emplace.reactor.LogSampler;
import org.emplace.reactor.Peer;
import org.emplace.reactor.Timekeeper;
import org.emplace.reactor.Workers;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.ServerLoad;
import org.emplace.rpc.ServerObserver;
import org.emplace.rpc.limits.ConnectionLimit;
import org.jspecify.annotations.Nullable;

/**
 * Runs the handlers of services to answer calls, on its own threads. Only procedures that are {@linkplain
 * RpcService#handlingOnLoop handled on the loop} run on a transport's threads, where calls without a handler are also
 * answered. Calls wait for a thread; none is refused because the server is busy. A thread starts when a call needs it,
 * and ends after one second without a call. Safe for use by several threads.
 */
public final class ServiceDispatcher implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ServiceDispatcher.class.getName());
    private static final Duration IDLE = Duration.ofSeconds(1);

    /** How long no short call of a peer ends before they count as blocked. */
    private static final Duration STANDSTILL = Duration.ofMillis(10);

    private final UnansweredCalls unanswered = new UnansweredCalls();
    private final Runnable answered = unanswered::remove;
    private final Consumer<ServerExchange> route = this::route;
    private final HandlerThreads threads;
    private final ThreadShares shares;
    /** Null if the threads are not shared, so that no calls are held back. */
    private final @Nullable Timekeeper time;

    private final LogSampler failures = new LogSampler();
    private final ServerObserver observer;
    private final @Nullable ReplyCache replies;
    private final CallAdmission admission;

    /** The number of calls that the current thread is answering. */
    private final ThreadLocal<Integer> answering = ThreadLocal.withInitial(() -> 0);

    private final ThreadLocal<Boolean> handlingOnLoop = ThreadLocal.withInitial(() -> false);
    private volatile boolean draining;

    /**
     * Creates a dispatcher without services for the calls of one connection. They may use all threads, and a
     * duplicate is a new call.
     *
     * @param threads the number of threads; positive
     */
    public ServiceDispatcher(int threads) {
        this(executor(threads), new ThreadShares(threads, false, 1, System::nanoTime), null, ServerObserver.NONE, null);
    }

    /**
     * Creates a dispatcher without services for the calls of many peers. Neither a connection nor a {@linkplain Peer
     * peer} can use all threads: a connection can use about three quarters and a peer seven eighths, and later ones
     * the same fraction of the rest. A duplicate of a call that is not idempotent gets the reply of the earlier call.
     *
     * @param threads the number of threads; positive
     * @param replies the most replies to keep for duplicates; not negative
     * @param replyBytes the most bytes of replies to keep; not negative
     * @param observer observes each call that is over
     * @param time clock and timers
     */
    public static ServiceDispatcher forManyPeers(
            int threads, int replies, long replyBytes, ServerObserver observer, Timekeeper time) {
        return forManyPeers(
                executor(threads),
                threads,
                Runtime.getRuntime().availableProcessors(),
                replies,
                replyBytes,
                observer,
                time);
    }

    /**
     * Like {@link #forManyPeers(int, int, long, ServerObserver, Timekeeper)}, with the given threads.
     *
     * @param executor runs {@code threads} calls at a time; the dispatcher shuts it down
     * @param processors how many there are for the threads
     */
    public static ServiceDispatcher forManyPeers(
            ExecutorService executor,
            int threads,
            int processors,
            int replies,
            long replyBytes,
            ServerObserver observer,
            Timekeeper time) {
        return new ServiceDispatcher(
                executor,
                new ThreadShares(threads, true, processors, time::nanoTime),
                new ReplyCache(replies, replyBytes),
                observer,
                time);
    }

    private ServiceDispatcher(
            ExecutorService executor,
            ThreadShares shares,
            @Nullable ReplyCache replies,
            ServerObserver observer,
            @Nullable Timekeeper time) {
        this.threads = new HandlerThreads(executor);
        this.time = time;
        this.shares = shares;
        this.replies = replies;
        this.admission = new CallAdmission(replies);
        this.observer = observer;
    }

    private static ExecutorService executor(int threads) {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE.toSeconds(),
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Workers.named("emplace-rpc-server"));
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /**
     * Adds a service for a version of a program.
     *
     * @throws IllegalArgumentException if this version is already served
     */
    public void add(RpcService service) {
        admission.add(service);
    }

    /** The most Read chunks of a call that a binding of the services allows. */
    public int readChunkLimit() {
        return admission.largest(ProcedureBinding::readChunkLimit);
    }

    /** The most Write chunks of a call that a binding of the services allows. */
    public int writeChunkLimit() {
        return admission.largest(ProcedureBinding::writeChunkLimit);
    }

    /**
     * Takes ownership of a received call, and calls exactly one of its methods {@link IncomingCall#reply}, {@link
     * IncomingCall#refuseChunks}, {@link IncomingCall#refuseMalformed} and {@link IncomingCall#drop}. Called on a
     * transport's thread; never blocks or throws. An Error ends the call and its connection.
     *
     * @return false if the call has been refused or dropped on the caller's thread, which may leave further calls of its sender to a later turn
     */
    public boolean dispatch(IncomingCall call) {
        CallMeasurement measurement = CallMeasurement.NONE;
        try {
            measurement = CallMeasurement.of(call, observer);
            call.whenOver(measurement == CallMeasurement.NONE ? answered : measured(measurement));
            unanswered.add();
            if (!draining) {
                return admission.admit(call, measurement, route);
            }
            call.drop();
        } catch (RuntimeException | Error broken) {
            admission.abandon(call, broken, measurement);
        }
        return false;
    }

    private Runnable measured(CallMeasurement measurement) {
        return () -> {
            measurement.over();
            unanswered.remove();
        };
    }

    private void route(ServerExchange exchange) {
        try {
            if (exchange.isAtOnce()) {
                answerAtOnce(exchange);
            } else if (!exchange.fetchArguments(() -> fetched(exchange))) {
                admit(exchange);
            }
        } catch (RuntimeException | Error broken) {
            exchange.abandon(broken);
        }
    }

    /**
     * Called when all calls that arrived together have been dispatched. Starts those that run on the dispatcher's threads. If dispatching each
     * of them woke a thread, these threads would compete with the transport's for the processor.
     */
    public void dispatchedAll() {
        threads.wake();
    }

    private void fetched(ServerExchange exchange) {
        try {
            admit(exchange);
            threads.wake();
        } catch (RuntimeException | Error broken) {
            exchange.abandon(broken);
        }
    }

    private void admit(ServerExchange exchange) {
        if (shares.admit(exchange)) {
            start(exchange);
        } else if (time != null && shares.needsCheck(exchange)) {
            checkLater(time);
        }
    }

    private void checkLater(Timekeeper time) {
        boolean comes = false;
        try {
            time.after(STANDSTILL, () -> check(time));
            comes = true;
        } finally {
            if (!comes) {
                shares.checkFailed();
            }
        }
    }

    /** Called on a timer's thread, which must not get an exception. */
    private void check(Timekeeper time) {
        try {
            if (shares.check()) {
                checkLater(time);
            }
            for (ServerExchange next = shares.next(); next != null; next = shares.next()) {
                start(next);
            }
            threads.wake();
        } catch (RuntimeException | Error broken) {
            failures.failure(LOG, "looking for blocked calls failed, the next call that waits does it again", broken);
        }
    }

    /** Called when a connection is over. Drops its calls that wait for a thread: their sender gets no reply, and sends them again over another. If it throws, the next call drops the rest. */
    public void disconnected(RpcConnection connection) {
        dropWaiting(() -> shares.removeWaiting(connection));
    }

    /** One at a time, so that an Error takes none of the others with it. */
    private static void dropWaiting(Supplier<@Nullable ServerExchange> removing) {
        for (ServerExchange next = removing.get(); next != null; next = removing.get()) {
            try {
                next.drop();
            } catch (RuntimeException | Error broken) {
                next.abandon(broken);
            }
        }
    }

    /** Whether the calls of a peer wait so long for a thread that it should not get more credits: it would give up its calls, and send them again. */
    public boolean isSlow(Peer peer) {
        return shares.isSlow(peer);
    }

    private void answerAtOnce(ServerExchange exchange) {
        boolean outer = handlingOnLoop.get();
        handlingOnLoop.set(true);
        try {
            answer(exchange);
        } finally {
            handlingOnLoop.set(outer);
        }
    }

    /**
     * The current load of the server.
     *
     * @param limit counts the server's connections
     */
    public ServerLoad load(ConnectionLimit limit) {
        return ServerLoad.NONE
                .withConnections(limit.taken(), limit.refused())
                .withCalls(shares.running(), shares.waiting(), Duration.ofNanos(shares.longestWaitNanos()))
                .withReplies(replies == null ? 0 : replies.size(), replies == null ? 0 : replies.bytes());
    }

    /** Whether the current thread is a transport's and is answering a call at once. */
    public boolean isAnsweringAtOnce() {
        return handlingOnLoop.get();
    }

    private void answer(ServerExchange exchange) {
        int outer = answering.get();
        answering.set(outer + 1);
        try {
            exchange.run();
        } finally {
            answering.set(outer);
        }
    }

    /** Called when a call has released its thread, which it had for so long, or got none. Starts the next calls. */
    private void leave(ServerExchange exchange, long nanos) {
        for (ServerExchange next = shares.leave(exchange, nanos); next != null; next = shares.next()) {
            start(next);
        }
    }

    private void start(ServerExchange exchange) {
        try {
            threads.add(new Turn(exchange));
        } catch (RuntimeException | Error broken) {
            try {
                exchange.abandon(broken);
            } finally {
                leave(exchange, 0);
            }
        }
    }

    /**
     * Waits until the replies to all calls that have arrived have been sent. Later calls are dropped, not rejected:
     * their connections are about to end, and the clients may resend them elsewhere. A thread that is answering a call
     * does not wait for that call.
     *
     * @return false if the limit expired before
     */
    public boolean drain(Duration limit) throws InterruptedException {
        draining = true;
        return unanswered.awaitOthers(answering.get(), limit);
    }

    /** Drops waiting and later calls, and interrupts the threads of those that run. */
    @Override
    public void close() {
        draining = true;
        dropWaiting(shares::removeWaiting);
        threads.close();
    }

    /** Runs one call on a thread. */
    private final class Turn implements HandlerThreads.Task {
        private final ServerExchange exchange;

        Turn(ServerExchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public void run() {
            long begun = shares.nanoTime();
            try {
                answer(exchange);
            } catch (RuntimeException | Error broken) {
                // The peer must not wait for an answer: it sends the call again.
                exchange.abandon(broken);
            } finally {
                leave(exchange, shares.nanoTime() - begun);
            }
        }

        @Override
        public void rejected(HandlerThreads.NoThread why) {
            try {
                switch (why) {
                    case CLOSED -> exchange.drop();
                    case EXHAUSTED -> exchange.abandon(new OutOfMemoryError("the system cannot start a thread"));
                }
            } finally {
                leave(exchange, 0);
            }
        }
    }

    /** Counts the calls that are not over, because their replies have not been sent. */
    private static final class UnansweredCalls {
        private int count;
        /** The number of these calls whose threads are waiting for the others. */
        private int waiting;

        synchronized void add() {
            count++;
        }

        synchronized void remove() {
            count--;
            notifyAll();
        }

        /**
         * Waits until all calls are over except those of waiting threads, which cannot end before their handlers do.
         *
         * @param own the number of calls that the current thread is answering
         * @return false if the limit expired before
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
