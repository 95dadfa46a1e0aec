// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.recovery;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.emplace.reactor.Timekeeper;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.CallOptions.Recovery;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.transport.RpcTransport.Connection;
import org.jspecify.annotations.Nullable;

/**
 * A call that is sent over one connection after another until it has a reply. Each attempt has the same xid and the
 * same arguments, with a credential and chunks of its own. An attempt ends only when its memory is fenced, so a new one
 * never starts while a peer can still access the call's memory. Safe for use by several threads.
 */
final class RecoveredCall<A, R> implements RpcCall<R> {
    private final RecoveringConnection client;
    private final int xid;
    private final Procedure<A, R> procedure;
    private final A arguments;
    private final Destinations destinations;
    private final CallOptions options;
    private final long startedAt;
    private final CompletableFuture<R> outcome = new CompletableFuture<>();

    /** The latest attempt; null before the first. This field and those below are guarded by this. */
    private @Nullable RpcCall<R> attempt;

    private boolean wasSent;
    private boolean wasResent;
    private Timekeeper.@Nullable Timer timeout;
    /**
     * The failure with which the call is to end, whatever the outcome of its latest attempt; null if it is to continue.
     */
    private @Nullable RpcException givenUp;

    RecoveredCall(
            RecoveringConnection client,
            int xid,
            Procedure<A, R> procedure,
            A arguments,
            Destinations destinations,
            CallOptions options) {
        this.client = client;
        this.xid = xid;
        this.procedure = procedure;
        this.arguments = arguments;
        this.destinations = destinations;
        this.options = options;
        this.startedAt = client.time().nanoTime();
    }

    /** Whether a peer may have run the call. */
    synchronized boolean wasSent() {
        return wasSent;
    }

    /** Called when the call begins to wait for a connection. Its timeout continues to run. */
    void waits() {
        RpcException over;
        synchronized (this) {
            over = givenUp;
            boolean hasNone = timeout == null && options.recovery() != Recovery.HARD;
            if (over == null && hasNone && !outcome.isDone()) {
                timeout = client.time().after(left(), this::timedOut);
            }
        }
        if (over != null && client.forget(this)) {
            fail(over);
        }
    }

    /** Sends the call over a connection, unless it has been cancelled or timed out. */
    void sendOver(Connection connection) {
        RpcCall<R> sent = null;
        try {
            sent = newAttempt(connection);
            if (sent != null) {
                follow(connection, sent);
            }
        } catch (RuntimeException | Error broken) {
            if (sent == null) {
                failUnsent(broken);
            } else {
                failWith(connection, broken);
            }
        }
    }

    /** Fails the call because it cannot be sent. No attempt is in progress. */
    void failUnsent(Throwable broken) {
        fail(ofAllAttempts(new RpcException(Kind.NO_RESOURCES, this + ": cannot be sent: " + broken, broken)));
    }

    /** Fails the call, whose attempt cannot be followed, and ends the connection: its end fences the memory of the attempt. */
    private void failWith(Connection connection, Throwable broken) {
        RpcException why =
                ofAllAttempts(new RpcException(Kind.DISCONNECTED, this + ": cannot go on: " + broken, broken));
        client.disconnected(connection, why);
        connection.reset();
        connection.closed().whenComplete((done, failure) -> fail(why));
    }

    private @Nullable RpcCall<R> newAttempt(Connection connection) {
        RpcException over;
        boolean again;
        synchronized (this) {
            stopTimeout();
            over = givenUp;
            again = wasSent;
            wasResent |= again;
            wasSent = true;
        }
        if (over != null) {
            fail(over);
            return null;
        }
        if (again) {
            client.resending(procedure, xid);
        }
        return connection.call(xid, procedure, arguments, destinations, options.withTimeout(left()));
    }

    private void follow(Connection connection, RpcCall<R> sent) {
        boolean unwanted;
        synchronized (this) {
            attempt = sent;
            unwanted = givenUp != null;
            notifyAll();
        }
        if (unwanted) {
            sent.cancel();
        }
        sent.completion().whenComplete((value, failure) -> attemptEnded(connection, value, failure));
    }

    private void timedOut() {
        Runnable end = () -> giveUp(Kind.TIMED_OUT, noReply());
        try {
            // A timer's thread does not run the application's stages.
            client.callbacks().execute(end);
        } catch (RuntimeException | Error broken) {
            end.run();
        }
    }

    private Duration left() {
        if (options.recovery() == Recovery.HARD) {
            return Timekeeper.LONGEST;
        }
        Duration left =
                Timekeeper.bounded(options.timeout()).minusNanos(client.time().nanoTime() - startedAt);
        return left.isNegative() || left.isZero() ? Duration.ofNanos(1) : left;
    }

    private synchronized void stopTimeout() {
        if (timeout != null) {
            timeout.cancel();
            timeout = null;
        }
    }

    private void attemptEnded(Connection connection, @Nullable R value, @Nullable Throwable failure) {
        try {
            goOn(connection, value, failure);
        } catch (RuntimeException | Error broken) {
            // The stage would swallow it, and the caller would wait.
            client.forget(this);
            failWith(connection, broken);
        }
    }

    private void goOn(Connection connection, @Nullable R value, @Nullable Throwable failure) {
        if (failure == null) {
            client.answered();
            settle(outcome.complete(value));
            return;
        }
        RpcException why = reasonOf(failure);
        RpcException asked;
        synchronized (this) {
            asked = givenUp;
        }
        if (asked != null) {
            leaveNothingBehind(connection, asked);
            fail(asked);
        } else if (why.kind() == Kind.TIMED_OUT) {
            RpcException over = failure(Kind.TIMED_OUT, noReply());
            leaveNothingBehind(connection, why);
            fail(over);
        } else if (why.kind() == Kind.CANCELLED) { // by the interrupt of the thread that waits for this attempt
            leaveNothingBehind(connection, why);
            fail(why);
        } else if (why.kind() != Kind.DISCONNECTED || options.recovery() == Recovery.NEVER) {
            fail(ofAllAttempts(why));
        } else {
            client.disconnected(connection, why);
            connection.reset(); // as another thread may not have come so far: nothing is sent twice at a time
            client.send(this);
        }
    }

    /**
     * Gives up the connection of a call that has no reply and is over for its caller. Otherwise the call could be delivered later and undo what the
     * caller has done since. This does not matter for idempotent procedures.
     */
    private void leaveNothingBehind(Connection connection, RpcException why) {
        if (!procedure.binding().isIdempotent()) {
            client.disconnected(connection, why);
            connection.reset(); // another thread may have begun that, and not have come so far
        }
    }

    /** If an earlier attempt may have run, the call may have run, whatever the failure says of the latest attempt. */
    private synchronized RpcException ofAllAttempts(RpcException latest) {
        return !wasResent || latest.kind().mayHaveRun()
                ? latest
                : new RpcException(
                        Kind.DISCONNECTED,
                        this + ": lost its connection, and the resent call failed: " + latest.getMessage(),
                        latest);
    }

    private RpcException reasonOf(Throwable failure) {
        Throwable cause = causeOf(failure);
        return cause instanceof RpcException known
                ? known
                : new RpcException(Kind.BAD_REPLY, this + ": failed: " + cause, cause);
    }

    /** Unwraps the exception by which a stage passes on the failure of an earlier stage. */
    static @Nullable Throwable causeOf(@Nullable Throwable failure) {
        return failure instanceof CompletionException || failure instanceof ExecutionException
                ? failure.getCause()
                : failure;
    }

    private String noReply() {
        return "no reply within " + Timekeeper.bounded(options.timeout()).toMillis() + " ms" + client.troubles();
    }

    private RpcException failure(Kind kind, String why) {
        return new RpcException(kind, this + ": " + why);
    }

    /** Fails the call, unless it is over. The call's memory must be fenced. */
    void fail(RpcException why) {
        settle(outcome.completeExceptionally(why));
    }

    /** @param now whether it was not over before */
    private void settle(boolean now) {
        if (now) {
            stopTimeout();
            client.completed();
            synchronized (this) {
                notifyAll();
            }
        }
    }

    private void giveUp(Kind kind, String why) {
        RpcCall<R> sent;
        RpcException asked = failure(kind, why);
        synchronized (this) {
            if (givenUp != null) {
                return;
            }
            givenUp = asked;
            // If the next attempt is being started, this one is over, and sendOver cancels the next one.
            sent = attempt;
        }
        if (client.forget(this)) {
            fail(asked);
        } else if (sent != null) {
            sent.cancel();
        }
    }

    @Override
    public CompletionStage<R> completion() {
        return outcome.minimalCompletionStage();
    }

    @Override
    public R await() throws RpcException, InterruptedException {
        RpcCall<R> awaited = null;
        try {
            while (true) {
                awaited = nextAttempt(awaited);
                if (awaited == null) {
                    return outcome.get();
                }
                awaitEnd(awaited);
            }
        } catch (InterruptedException interrupted) {
            cancel();
            outcome.handle((value, failure) -> true).join();
            throw interrupted;
        } catch (ExecutionException failed) {
            RpcException why = reasonOf(failed);
            throw new RpcException(why.kind(), String.valueOf(why.getMessage()), why);
        }
    }

    /** Waits for the attempt after {@code last}; null if the call is over. */
    private synchronized @Nullable RpcCall<R> nextAttempt(@Nullable RpcCall<R> last) throws InterruptedException {
        while (!outcome.isDone() && attempt == last) {
            wait();
        }
        return outcome.isDone() ? null : attempt;
    }

    /** Waits for the end of an attempt, so that this thread can do the connection's work meanwhile. */
    private static void awaitEnd(RpcCall<?> attempt) throws InterruptedException {
        try {
            attempt.await();
        } catch (RpcException failed) {
            // attemptEnded decides what this means for the call.
        }
    }

    @Override
    public void cancel() {
        giveUp(Kind.CANCELLED, "cancelled by the caller");
    }

    /** The address, the xid and the procedure, for messages. */
    @Override
    public String toString() {
        return "%s xid 0x%08x %s".formatted(client, xid, procedure.name());
    }
}
