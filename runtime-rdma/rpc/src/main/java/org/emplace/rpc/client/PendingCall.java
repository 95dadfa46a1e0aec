// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.client;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.emplace.reactor.Timekeeper;
import org.emplace.reactor.Workers;
import org.emplace.rpc.CallObserver;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.ResultPlaces;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.auth.AuthException;
import org.emplace.rpc.auth.ClientAuth;
import org.emplace.rpc.client.PendingCalls.ReplyThreads;
import org.emplace.rpc.message.MessageHeader.CallHeader;
import org.emplace.rpc.message.MessageHeader.ReplyHeader;
import org.emplace.rpc.wire.AcceptStat;
import org.emplace.rpc.wire.AcceptedReplyData;
import org.emplace.rpc.wire.AuthStat;
import org.emplace.rpc.wire.MismatchInfo;
import org.emplace.rpc.wire.RejectedReply;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.jspecify.annotations.Nullable;

/** A requester's call that is waiting for its reply; see {@link PendingCalls}. Safe for use by several threads. */
public final class PendingCall<A, R> implements RpcCall<R> {
    private final PendingCalls calls;
    private final int xid;
    private final Procedure<A, R> procedure;
    private final A arguments;
    private final ResultPlaces<R> places;
    private final CallOptions options;
    private final long startedAt;
    private final CallObserver observer;
    private final CallCounters counters;
    private final CompletableFuture<R> completion = new CompletableFuture<>();
    private final Completer completer;
    /** Set once, by {@link PendingCalls}. */
    private volatile boolean taken;

    private volatile @Nullable Object attachment;

    /** The authentication of the message; null until the message is encoded. */
    private volatile ClientAuth.@Nullable Exchange auth;

    PendingCall(
            PendingCalls calls,
            int xid,
            Procedure<A, R> procedure,
            A arguments,
            ResultPlaces<R> places,
            CallOptions options,
            CallObserver observer,
            CallCounters counters,
            long startedAt) {
        this.calls = calls;
        this.completer = new Completer(this);
        this.xid = xid;
        this.procedure = procedure;
        this.arguments = arguments;
        this.places = places;
        this.options = options;
        this.observer = observer;
        this.counters = counters;
        this.startedAt = startedAt;
    }

    /** The call's transaction id. */
    public int xid() {
        return xid;
    }

    /** The procedure that is called. */
    public Procedure<A, R> procedure() {
        return procedure;
    }

    /** The arguments. */
    public A arguments() {
        return arguments;
    }

    /** Where the eligible results go. */
    public ResultPlaces<R> places() {
        return places;
    }

    /** The options. */
    public CallOptions options() {
        return options;
    }

    /** Counts what the transport transfers for this call. */
    public CallCounters counters() {
        return counters;
    }

    /** The observer of the call's completion. */
    CallObserver observer() {
        return observer;
    }

    /** Whether the call has been neither claimed nor aborted. */
    public boolean isWaiting() {
        return !taken;
    }

    /** Attaches the transport's state of the call. */
    public void attach(Object ofTheTransport) {
        attachment = ofTheTransport;
    }

    /** The object given to {@link #attach}; null before that. */
    public @Nullable Object attachment() {
        return attachment;
    }

    /** The longest body of the reply's verifier in bytes. Available when the call has been encoded. */
    public int replyVerifierBound() {
        return Objects.requireNonNull(auth).replyVerifierBound();
    }

    /** Whether the call may have been sent, so that a reply may belong to it. */
    boolean isEncoded() {
        return auth != null;
    }

    /**
     * The largest encoded size of the results in bytes, without eligible items. If the protocol has no limit, the value
     * of {@link CallOptions#unboundedReplySize}; otherwise not more than that or the largest message.
     */
    public long replyBound() {
        long bound = procedure.binding().replyBound().applyAsLong(arguments);
        return bound == ProcedureBinding.UNBOUNDED
                ? options.unboundedReplySize()
                : Math.min(bound, Math.max(calls.maxMessage(), options.unboundedReplySize()));
    }

    /**
     * Encodes the call message.
     *
     * @throws RpcException if the arguments cannot be encoded, or the call cannot be authenticated; the caller must
     *     then give the call up with this exception
     */
    public EncodedMessage encode(XdrEncoder out) throws RpcException {
        try {
            ClientAuth.Exchange exchange = options.auth().newExchange();
            CallHeader.encode(out, xid, procedure, exchange);
            auth = exchange;
            out.eligible(procedure.binding().argumentsEligible());
            procedure.arguments().writer().write(out, arguments);
            EncodedMessage message = out.finish();
            requireSendable(message);
            return message;
        } catch (AuthException unavailable) {
            throw failure(Kind.AUTHENTICATION, "cannot be authenticated: " + unavailable.getMessage(), unavailable);
        } catch (IllegalArgumentException unsuitable) {
            throw failure(Kind.GARBAGE_ARGS, "the arguments cannot be encoded: " + unsuitable.getMessage(), unsuitable);
        }
    }

    /** Refuses a call that the peer would not accept: by default both ends accept as much. */
    private void requireSendable(EncodedMessage message) throws RpcException {
        int most = Math.max(calls.maxMessage(), ConnectionOptions.DEFAULT.maxMessage());
        if (message.unreducedLength() > most) {
            String why = "the call has " + message.unreducedLength() + " bytes, but at most " + most
                    + " are sent; set ConnectionOptions.maxMessage at both ends";
            throw failure(Kind.GARBAGE_ARGS, why, null);
        }
    }

    Completer completer() {
        return completer;
    }

    /** The threads that receive the reply. */
    ReplyThreads threads() {
        return calls.threads();
    }

    Workers callbacks() {
        return calls.callbacks();
    }

    /**
     * Runs work that completes a claimed call by {@link #complete} or {@link #fail}: on the thread that waits for the
     * call, if there is one, otherwise on an executor.
     */
    public void completeBy(Runnable work, Executor otherwise) {
        completer.complete(work, otherwise);
    }

    /** Completes a claimed call by a reply without chunks. Otherwise like {@link #complete(XdrDecoder, ResultItems)}. */
    public void complete(XdrDecoder reply) {
        complete(reply, new InMessage());
    }

    /** The eligible results of a reply without chunks. */
    private final class InMessage extends ResultItems<R> {
        @Override
        protected ResultPlaces<R> places() {
            return places;
        }

        @Override
        protected CallCounters counters() {
            return counters;
        }
    }

    /**
     * Completes a claimed call by its reply. Called when the call's memory is fenced.
     *
     * @param reply a decoder at the reply's xid
     * @param results gives the eligible results
     */
    public void complete(XdrDecoder reply, ResultItems<R> results) {
        try {
            ReplyHeader header = ReplyHeader.decode(reply);
            if (header instanceof ReplyHeader.Denied denied) {
                fail(denied.why());
            } else if (header instanceof ReplyHeader.Accepted accepted) {
                Objects.requireNonNull(auth).check(accepted.verifier());
                complete(accepted.outcome(), reply, results);
            }
        } catch (AuthException forged) {
            fail(Kind.BAD_VERIFIER, "the reply's verifier is not valid: " + forged.getMessage(), forged);
        } catch (XdrException malformed) {
            fail(Kind.BAD_REPLY, "bad reply: " + malformed.getMessage(), malformed);
        } catch (RuntimeException | Error broken) {
            fail(Kind.BAD_REPLY, "the reply could not be decoded: " + broken, broken);
        }
    }

    private void complete(AcceptedReplyData outcome, XdrDecoder reply, ResultItems<R> results) throws XdrException {
        if (outcome instanceof AcceptedReplyData.Success) {
            boolean isEligible = procedure.binding().resultsEligible();
            reply.eligibleItems(isEligible ? results : EligibleItems.ALL_INLINE);
            reply.eligible(isEligible);
            R value = procedure.results().reader().read(reply);
            reply.requireEnd();
            results.settle(value);
            calls.report(this, null);
            completion.complete(value);
            completer.over();
        } else {
            fail(outcome);
        }
    }

    private void fail(AcceptedReplyData reply) {
        RpcProgram program = procedure.program();
        if (reply instanceof AcceptedReplyData.ProgMismatch mismatch) {
            fail(
                    Kind.PROGRAM_MISMATCH,
                    "the peer serves program " + program.number() + " in versions " + range(mismatch.versions())
                            + ", not " + program.version());
            return;
        }
        AcceptStat status = ((AcceptedReplyData.Default) reply).stat();
        switch (status) {
            case PROG_UNAVAIL -> fail(Kind.PROGRAM_UNAVAILABLE, "the peer does not serve program " + program.number());
            case PROC_UNAVAIL ->
                fail(
                        Kind.PROCEDURE_UNAVAILABLE,
                        "the peer does not support procedure " + procedure.number() + " of version " + program.version()
                                + " of program " + program.number());
            case GARBAGE_ARGS ->
                fail(
                        Kind.GARBAGE_ARGS,
                        "the peer could not decode the arguments, or accepts no call that long (its ConnectionOptions.maxMessage)");
            default -> fail(Kind.SYSTEM_ERROR, "the peer answered " + status + ": it failed; see its log");
        }
    }

    private void fail(RejectedReply denial) {
        if (denial instanceof RejectedReply.RpcMismatch mismatch) {
            fail(Kind.PROTOCOL_MISMATCH, "the peer supports RPC versions " + range(mismatch.rpcVersions()) + ", not 2");
        } else {
            AuthStat why = ((RejectedReply.AuthError) denial).why();
            fail(
                    Kind.AUTHENTICATION,
                    "the peer rejected the credential or verifier: " + why,
                    new AuthException(why.value(), "the peer's answer is " + why));
        }
    }

    private static String range(MismatchInfo versions) {
        return versions.low() + " to " + versions.high();
    }

    /** Fails a claimed call. Called when its memory is fenced. */
    public void fail(Kind kind, String why) {
        fail(kind, why, null);
    }

    /** Fails a claimed call. Called when its memory is fenced. */
    public void fail(Kind kind, String why, @Nullable Throwable cause) {
        completeExceptionally(failure(kind, why, cause));
    }

    private void completeExceptionally(RpcException failure) {
        calls.report(this, failure.kind());
        completion.completeExceptionally(failure);
        completer.over();
    }

    /** Creates an exception whose message names the connection, the xid and the procedure. */
    public RpcException failure(Kind kind, String why, @Nullable Throwable cause) {
        return new RpcException(kind, this + ": " + why, cause);
    }

    /**
     * Has the transport fence the call's memory, and then fails the call. Has no effect if the call has been claimed or
     * given up.
     */
    public void giveUp(Kind kind, String why) {
        giveUp(failure(kind, why, null));
    }

    /** Like {@link #giveUp(RpcException.Kind, String)}, with the exception itself. */
    public void giveUp(RpcException reason) {
        if (taken) {
            return;
        }
        // Made before the call is claimed: from then on, nothing else ends it.
        Runnable end = () -> completeExceptionally(reason);
        BiConsumer<@Nullable Object, @Nullable Throwable> fenced = (done, failure) -> {
            try {
                // The thread that serves the connection, or a timer's, does not run the application's stages.
                calls.callbacks().execute(end);
            } catch (RuntimeException | Error broken) {
                end.run();
            }
        };
        if (calls.claim(xid) == this) {
            try {
                calls.aborter().abort(this).whenComplete(fenced);
            } catch (RuntimeException | Error broken) {
                fenced.accept(null, broken);
                throw broken;
            }
        }
    }

    @Override
    public CompletionStage<R> completion() {
        return completion.minimalCompletionStage();
    }

    @Override
    public R await() throws RpcException, InterruptedException {
        try {
            completer.await();
            return completion.get();
        } catch (InterruptedException interrupted) {
            cancel();
            completion.handle((value, failure) -> true).join();
            throw interrupted;
        } catch (ExecutionException failed) {
            throw forTheCaller(failed.getCause());
        }
    }

    /** Returns a new exception, whose stack trace is that of the waiting caller. */
    private RpcException forTheCaller(@Nullable Throwable cause) {
        return cause instanceof RpcException known
                ? new RpcException(known.kind(), String.valueOf(known.getMessage()), known)
                : failure(Kind.BAD_REPLY, "failed: " + cause, cause);
    }

    @Override
    public void cancel() {
        giveUp(Kind.CANCELLED, "cancelled by the caller");
    }

    /** The connection, the xid and the procedure, for messages. */
    @Override
    public String toString() {
        return "%s xid 0x%08x %s".formatted(calls.connection(), xid, procedure.name());
    }

    long startedAt() {
        return startedAt;
    }

    /** When the call times out, as a value of {@link Timekeeper#nanoTime}. */
    long deadline() {
        return startedAt + Timekeeper.bounded(options.timeout()).toNanos();
    }

    /** Marks the call as claimed. */
    void markTaken() {
        taken = true;
    }
}
