// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

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
import org.emplace.rpc.auth.AuthException;
import org.emplace.rpc.auth.gss.wire.RpcGssProcT;
import org.jspecify.annotations.Nullable;

/**
 * A call that waits for a security context and for a place in its window, and is then sent. If the server does not know the context any more, which it says before it runs the call,
 * another context is made, once. Safe for use by several threads.
 */
final class SecuredCall<A, R> implements RpcCall<R> {
    private final GssClient client;
    private final Procedure<A, R> procedure;
    private final A arguments;
    private final Destinations destinations;
    private final CallOptions options;
    private final long startedAt = System.nanoTime();
    private final CompletableFuture<R> outcome = new CompletableFuture<>();

    /** The call as it was sent; null before that. Guarded by this, as the next ones. */
    private @Nullable RpcCall<R> sent;

    private Timekeeper.@Nullable Timer timeout;
    /** Whether the call was cancelled, or has timed out before it was sent. */
    private boolean isGivenUp;
    /** Removes the call from the window that holds it back. */
    private Runnable withdrawal = () -> {};

    SecuredCall(
            GssClient client, Procedure<A, R> procedure, A arguments, Destinations destinations, CallOptions options) {
        this.client = client;
        this.procedure = procedure;
        this.arguments = arguments;
        this.destinations = destinations;
        this.options = options;
    }

    /** Sends the call by a context. Throws nothing: what goes wrong ends the call. */
    void send(boolean mayRenew) {
        try {
            CompletionStage<ClientContext> establishing = client.context(procedure.program());
            establishing.whenComplete((context, failure) -> {
                try {
                    enter(establishing, context, failure, mayRenew);
                } catch (RuntimeException | Error broken) {
                    fail(broken);
                }
            });
            limitWait();
        } catch (RuntimeException | Error broken) {
            fail(broken);
        }
    }

    /** The timeout runs while the call waits, too. */
    private synchronized void limitWait() {
        if (sent == null && timeout == null && options.recovery() != Recovery.HARD && !outcome.isDone()) {
            Timekeeper.Timer started = client.time().after(Timekeeper.bounded(left()), this::timedOut);
            timeout = started;
            completion().whenComplete((value, failure) -> started.cancel());
        }
    }

    private void timedOut() {
        Runnable end = () -> giveUp(new RpcException(
                Kind.TIMED_OUT,
                procedure + ": not sent within " + options.timeout().toMillis()
                        + " ms, because it waited for a security context or for the server's sequence window"));
        try {
            client.callbacks().execute(end);
        } catch (RuntimeException | Error broken) {
            end.run();
        }
    }

    /** Ends the call if it was not sent; it then holds no memory of the transport. Returns the call that was sent. */
    private @Nullable RpcCall<R> giveUp(RpcException why) {
        Runnable withdraw;
        synchronized (this) {
            if (sent != null) {
                return sent;
            }
            isGivenUp = true;
            withdraw = withdrawal;
        }
        outcome.completeExceptionally(why);
        withdraw.run();
        return null;
    }

    private void enter(
            CompletionStage<ClientContext> established,
            ClientContext context,
            @Nullable Throwable failure,
            boolean mayRenew) {
        if (failure != null) {
            outcome.completeExceptionally(client.failure(procedure, failure));
            return;
        }
        ClientWindow.Place place = new ClientWindow.Place();
        synchronized (this) {
            if (isGivenUp) {
                return;
            }
            withdrawal = () -> context.window().leave(place);
        }
        if (!context.window().enter(place, () -> send(established, context, place, mayRenew))) {
            fail(Kind.QUEUE_FULL, "too many calls wait for the server's sequence window");
        }
    }

    private void fail(Throwable broken) {
        outcome.completeExceptionally(
                new RpcException(Kind.NO_RESOURCES, procedure + " cannot be sent: " + broken, broken));
    }

    /** Ends a call that was not sent. */
    void fail(Kind kind, String why) {
        outcome.completeExceptionally(new RpcException(kind, procedure + ": " + why));
    }

    private void send(
            CompletionStage<ClientContext> established,
            ClientContext context,
            ClientWindow.Place place,
            boolean mayRenew) {
        RpcCall<R> call;
        try {
            call = started(new SecuredMessage(context, place, RpcGssProcT.RPCSEC_GSS_DATA, client.service()));
        } catch (RuntimeException | Error broken) {
            context.window().leave(place);
            fail(broken);
            return;
        }
        if (call == null) {
            context.window().leave(place);
            return;
        }
        call.completion().whenComplete((value, failure) -> {
            context.window().leave(place);
            if (failure == null) {
                outcome.complete(value);
            } else if (mayRenew && isDenied(failure)) {
                client.forget(procedure.program(), established);
                synchronized (this) {
                    sent = null;
                }
                send(false);
            } else {
                outcome.completeExceptionally(cause(failure));
            }
        });
    }

    /** The call, sent; null if it was given up before. */
    private synchronized @Nullable RpcCall<R> started(SecuredMessage message) {
        if (!isGivenUp) {
            if (timeout != null) {
                timeout.cancel();
                timeout = null;
            }
            sent = client.client()
                    .call(
                            message.protecting(procedure),
                            arguments,
                            destinations,
                            options.withAuth(message).withTimeout(left()));
        }
        return sent;
    }

    /**
     * Whether the context has come to its end, so that the call may be made again by another one: it has not run, or it was lost with a connection and
     * may run twice.
     */
    private boolean isDenied(Throwable failure) {
        Throwable latest = cause(failure);
        boolean isResent = latest instanceof RpcException lost
                && lost.kind() == Kind.DISCONNECTED
                && procedure.binding().isIdempotent();
        Throwable denial = isResent ? latest.getCause() : latest;
        return denial instanceof RpcException known
                && known.kind() == Kind.AUTHENTICATION
                && known.getCause() instanceof AuthException reason
                && (reason.status() == AuthException.CREDENTIAL_PROBLEM
                        || reason.status() == AuthException.CONTEXT_PROBLEM);
    }

    static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    private Duration left() {
        if (options.recovery() == Recovery.HARD) {
            return options.timeout();
        }
        Duration left = options.timeout().minusNanos(System.nanoTime() - startedAt);
        return left.isNegative() || left.isZero() ? Duration.ofNanos(1) : left;
    }

    @Override
    public CompletionStage<R> completion() {
        return outcome.minimalCompletionStage();
    }

    @Override
    public R await() throws RpcException, InterruptedException {
        try {
            return outcome.get();
        } catch (InterruptedException interrupted) {
            cancel();
            outcome.handle((value, failure) -> true).join();
            throw interrupted;
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            throw cause instanceof RpcException known
                    ? new RpcException(known.kind(), String.valueOf(known.getMessage()), known)
                    : new RpcException(Kind.BAD_REPLY, procedure + " failed: " + cause, cause);
        }
    }

    @Override
    public void cancel() {
        RpcCall<R> call = giveUp(new RpcException(Kind.CANCELLED, procedure + " was cancelled by the caller"));
        if (call != null) {
            call.cancel();
        }
    }
}
