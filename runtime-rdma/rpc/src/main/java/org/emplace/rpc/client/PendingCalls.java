// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.emplace.reactor.IntTable;
import org.emplace.reactor.Timekeeper;
import org.emplace.reactor.Timekeeper.Deadlines;
import org.emplace.reactor.Workers;
import org.emplace.rpc.CallObserver;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ResultPlaces;
import org.emplace.rpc.RpcException;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one connection that wait for replies, by xid. All transports share this part of a requester. Safe for
 * use by several threads.
 *
 * <p>A transport opens a call, encodes its message ({@link PendingCall#encode}) and sends it. When the reply arrives,
 * the transport claims the call, fences the call's memory, and completes the call. If a call times out or is cancelled,
 * or after {@link #disconnected}, the transport's {@link Aborter} is called. Each call is either claimed or aborted, never both.
 */
public final class PendingCalls {
    private static final System.Logger LOG = System.getLogger(PendingCalls.class.getName());

    private final String connection;
    private final CallObserver observer;
    private final int maxMessage;
    private final Timekeeper time;
    private final Aborter aborter;
    /** The calls that have been neither claimed nor aborted. Guarded by itself. */
    private final IntTable<PendingCall<?, ?>> calls = new IntTable<>();

    private final ReplyThreads threads;
    private final Workers callbacks;
    private final Deadlines deadlines;
    private volatile long latest;
    private volatile boolean enabled;

    /** Starts at a random number, so that a late reply of an earlier connection to the same server does not match. */
    private final AtomicInteger nextXid =
            new AtomicInteger(ThreadLocalRandom.current().nextInt());

    private volatile @Nullable Ending ending;
    /** The calls that are ready and for which no thread waits. This list and those below are used only on the thread that receives replies. */
    private final List<Completer> unawaited = new ArrayList<>();

    private final List<Completer> awaited = new ArrayList<>();
    /** The thread that waits for each of the awaited calls, in the same order. */
    private final List<Thread> waiting = new ArrayList<>();

    /** Fences the memory of a call that is given up; implemented by the transport. */
    @FunctionalInterface
    public interface Aborter {

        /**
         * Aborts a call after a timeout, a cancellation or the end of the connection. Called at most once for a call,
         * on any thread, and never for a claimed one. If the transport has not sent the call yet, it must not send it.
         * Must not block or throw.
         *
         * @return completes in bounded time, normally or not, when the peer can no longer access the call's memory
         */
        CompletionStage<Void> abort(PendingCall<?, ?> call);
    }

    private record Ending(RpcException.Kind kind, String why) {}

    /**
     * Starts without calls, for a new connection.
     *
     * @param connection its name in messages
     * @param maxMessage the most bytes of a call, and to allocate for its results
     * @param threads the threads that a caller helps while it waits for a reply
     * @param callbacks completes the calls for which no thread waits
     * @param enabled whether calls may be opened before {@link #enable}
     */
    public PendingCalls(
            String connection,
            CallObserver observer,
            int maxMessage,
            Timekeeper time,
            Aborter aborter,
            ReplyThreads threads,
            Workers callbacks,
            boolean enabled) {
        this.connection = connection;
        this.observer = observer;
        this.maxMessage = maxMessage;
        this.time = time;
        this.aborter = aborter;
        this.threads = threads;
        this.callbacks = callbacks;
        this.enabled = enabled;
        this.deadlines = new Deadlines(time, this::timeOutLate);
        this.latest = time.nanoTime();
    }

    /**
     * Adds a new call and starts its timeout. After {@link #disconnected}, the call is aborted at once.
     *
     * @throws IllegalStateException if calls are not enabled
     */
    public <A, R> PendingCall<A, R> open(
            Procedure<A, R> procedure, A arguments, Destinations destinations, CallOptions options) {
        PendingCall<A, R> call;
        do {
            call = make(nextXid.getAndIncrement(), procedure, arguments, destinations, options);
        } while (!enter(call));
        return opened(call);
    }

    /**
     * Like {@link #open(Procedure, Object, Destinations, CallOptions)}, with a given xid.
     *
     * @throws IllegalStateException if a call with this xid already waits, or if calls are not enabled
     */
    public <A, R> PendingCall<A, R> open(
            int xid, Procedure<A, R> procedure, A arguments, Destinations destinations, CallOptions options) {
        PendingCall<A, R> call = make(xid, procedure, arguments, destinations, options);
        if (!enter(call)) {
            throw new IllegalStateException(call + ": another call with this xid already waits for its reply");
        }
        return opened(call);
    }

    /** The most bytes of a call, and to allocate for its results. */
    int maxMessage() {
        return maxMessage;
    }

    private <A, R> PendingCall<A, R> make(
            int xid, Procedure<A, R> procedure, A arguments, Destinations destinations, CallOptions options) {
        if (!enabled) {
            throw new IllegalStateException(connection + ": cannot call " + procedure
                    + ": its client has not announced that it is ready for calls; invoke enableBackwardCalls() on the"
                    + " connection in the handler of the procedure by which the client announces this");
        }
        ResultPlaces<R> places = ResultPlaces.of(
                procedure.binding(),
                arguments,
                destinations,
                procedure.binding().resultLimits(maxMessage, options));
        CallObserver observing = observer == CallObserver.NONE ? CallObserver.NONE : starting(procedure);
        CallCounters counters = observing == CallObserver.NONE ? CallCounters.NONE : new CallCounters();
        return new PendingCall<>(
                this, xid, procedure, arguments, places, options, observing, counters, time.nanoTime());
    }

    private CallObserver starting(Procedure<?, ?> procedure) {
        try {
            return observer.starting(procedure);
        } catch (RuntimeException | Error broken) {
            logBroken(broken);
            return CallObserver.NONE;
        }
    }

    private <A, R> PendingCall<A, R> opened(PendingCall<A, R> call) {
        latest = call.startedAt();
        try {
            deadlines.add(call.deadline());
        } catch (RuntimeException | Error broken) {
            // The caller does not get this call.
            claim(call.xid());
            throw broken;
        }
        Ending over = ending;
        if (over != null) {
            call.giveUp(over.kind(), over.why());
        }
        return call;
    }

    /** Allows calls from now on. */
    public void enable() {
        enabled = true;
    }

    private boolean enter(PendingCall<?, ?> call) {
        synchronized (calls) {
            return calls.putIfAbsent(call.xid(), call);
        }
    }

    /**
     * Claims the call to which a reply belongs. The claimer must complete it, in bounded time.
     *
     * @return null if no call with this xid waits; it may have been aborted
     */
    public @Nullable PendingCall<?, ?> claim(int xid) {
        synchronized (calls) {
            PendingCall<?, ?> call = calls.remove(xid);
            if (call != null) {
                call.markTaken();
            }
            return call;
        }
    }

    /**
     * Like {@link #claim}, for a transport that does not know which calls it has sent.
     *
     * @return null also if the call has not been encoded: a peer that replies to it has guessed its xid
     */
    public @Nullable PendingCall<?, ?> claimSent(int xid) {
        synchronized (calls) {
            PendingCall<?, ?> call = calls.get(xid);
            return call != null && call.isEncoded() ? claim(xid) : null;
        }
    }

    /**
     * Adds a claimed call whose reply has arrived, on the thread that receives replies. No thread is woken before {@link #handOver}: otherwise a
     * caller with several calls in flight would preempt this thread, take one result, and wait again for the next.
     *
     * @param work completes the call by {@link PendingCall#complete} or {@link PendingCall#fail}; run once, soon after
     *     {@link #handOver} or earlier
     */
    public void ready(PendingCall<?, ?> call, Runnable work) {
        Completer completer = call.completer();
        Thread waits = completer.handOver(work);
        if (waits == null) {
            unawaited.add(completer);
        } else {
            awaited.add(completer);
            waiting.add(waits);
        }
    }

    /** Wakes the threads that complete the calls that are ready. */
    public void handOver() {
        if (!unawaited.isEmpty()) {
            try {
                callbacks.executeAll(unawaited);
            } catch (RuntimeException | Error broken) {
                // Those that have begun do nothing more.
                unawaited.forEach(callbacks::execute);
            }
            unawaited.clear();
        }
        for (int i = 0; i < awaited.size(); i++) {
            try {
                awaited.get(i).wake(waiting.get(i));
            } catch (RuntimeException | Error broken) {
                // Once more: nothing else would wake the thread.
                awaited.get(i).wake(waiting.get(i));
            }
        }
        awaited.clear();
        waiting.clear();
    }

    /** Called when the connection is over: gives up all calls, now and later. Only the first reason is used. */
    public void disconnected(RpcException.Kind kind, String why) {
        if (ending == null) {
            ending = new Ending(kind, why);
        }
        deadlines.stop();
        unclaimed().forEach(call -> giveUp(call, kind, why));
    }

    private void timeOutLate() {
        long now = time.nanoTime();
        for (PendingCall<?, ?> call : unclaimed()) {
            if (call.deadline() - now > 0) {
                deadlines.add(call.deadline());
            } else {
                giveUp(
                        call,
                        RpcException.Kind.TIMED_OUT,
                        "no reply within " + call.options().timeout().toMillis() + " ms");
            }
        }
    }

    /** Gives a call up, with a second attempt after an Error, which may have come before anything was done. */
    private static void giveUp(PendingCall<?, ?> call, RpcException.Kind kind, String why) {
        try {
            call.giveUp(kind, why);
        } catch (RuntimeException | Error broken) {
            try {
                call.giveUp(kind, why);
            } catch (RuntimeException | Error again) {
                // The other calls must be given up, too.
            }
            LOG.log(System.Logger.Level.ERROR, call + ": cannot abort the call", broken);
        }
    }

    /** The number of calls that wait. */
    public int size() {
        synchronized (calls) {
            return calls.size();
        }
    }

    /** The time since the latest call was opened, in nanoseconds; 0 while a call waits. */
    public long idleNanos() {
        return size() > 0 ? 0 : Math.max(0, time.nanoTime() - latest);
    }

    private List<PendingCall<?, ?>> unclaimed() {
        synchronized (calls) {
            return calls.values();
        }
    }

    String connection() {
        return connection;
    }

    Aborter aborter() {
        return aborter;
    }

    ReplyThreads threads() {
        return threads;
    }

    Workers callbacks() {
        return callbacks;
    }

    /** @param failure null if the call has succeeded */
    void report(PendingCall<?, ?> call, RpcException.@Nullable Kind failure) {
        if (call.observer() == CallObserver.NONE) {
            return;
        }
        try {
            Duration elapsed = Duration.ofNanos(time.nanoTime() - call.startedAt());
            call.observer().completed(call.counters().report(call.procedure(), elapsed, Optional.ofNullable(failure)));
        } catch (RuntimeException | Error broken) {
            logBroken(broken);
        }
    }

    private void logBroken(Throwable broken) {
        LOG.log(System.Logger.Level.ERROR, connection + ": the call observer threw an exception", broken);
    }

    /** The threads that receive a connection's replies. A waiting caller can do their work. */
    public interface ReplyThreads {

        /**
         * Does the work of these threads on the calling thread, until {@code done} is true. May return at any time; by
         * default at once.
         *
         * @param done called by any thread; must not block or throw
         */
        default void pollUntil(BooleanSupplier done) {}

        /** Makes a thread in {@link #pollUntil} check its condition. May be called by any thread. */
        default void wakePoller() {}
    }
}
