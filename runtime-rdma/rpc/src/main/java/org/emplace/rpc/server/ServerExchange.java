// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.server;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.Principal;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.emplace.reactor.Peer;
import org.emplace.rpc.MemoryExhaustedException;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.ProcedureUnavailableException;
import org.emplace.rpc.RpcService.Handler;
import org.emplace.rpc.ServerCall;
import org.emplace.rpc.ServerObserver.Outcome;
import org.emplace.rpc.auth.OpaqueAuth;
import org.emplace.rpc.auth.ServerAuth;
import org.emplace.rpc.message.MessageHeader.ReplyHeader;
import org.emplace.rpc.wire.AcceptStat;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.jspecify.annotations.Nullable;

/**
 * A call that a handler answers, as the handler sees it. It is answered exactly once, whatever the handler does. One thread at a time uses it: the
 * thread that received the call, the thread that runs it, then the thread that completes the handler's stage. Once the answer is posted, the
 * transport owns the call; see {@link IncomingCall#whenOver}.
 */
final class ServerExchange implements ServerCall, Runnable {
    private static final Logger LOG = System.getLogger(ServerExchange.class.getName());

    private final CallAdmission admission;
    private final IncomingCall call;
    private final int xid;
    private final Principal caller;
    private final ServerAuth.Exchange auth;
    private final OpaqueAuth verifier;
    private final Handler<?, ?> handler;
    private final XdrDecoder message;
    private final CallMeasurement measurement;
    /** The arguments, if they were decoded before their payloads were fetched. */
    private @Nullable Object decoded;
    /** The key in the reply cache, by which duplicates find this call. Set once the call is known not to be a duplicate. */
    private ReplyCache.@Nullable Key key;

    /**
     * Creates the exchange of a call that has been admitted.
     *
     * @param auth the authentication
     * @param verifier the verifier of the reply, unless the flavor answers the call itself
     * @param message a decoder at the arguments
     * @param measurement measures how the call is answered
     */
    ServerExchange(
            CallAdmission admission,
            IncomingCall call,
            int xid,
            Principal caller,
            ServerAuth.Exchange auth,
            OpaqueAuth verifier,
            Handler<?, ?> handler,
            XdrDecoder message,
            CallMeasurement measurement) {
        this.admission = admission;
        this.call = call;
        this.xid = xid;
        this.caller = caller;
        this.auth = auth;
        this.verifier = verifier;
        this.handler = handler;
        this.message = message;
        this.measurement = measurement;
    }

    Procedure<?, ?> procedure() {
        return handler.procedure();
    }

    /** Whether the handler may run on the thread that received the call. */
    boolean isAtOnce() {
        // A protected body takes long to check.
        return handler.atOnce() && !auth.protectsBodies();
    }

    /** Starts to fetch the arguments that the handler needs in local memory; see {@link IncomingCall#fetchArguments}. */
    boolean fetchArguments(Runnable next) {
        return !handler.fetches() && !auth.protectsBodies() && call.fetchArguments(this::decodeAhead, next);
    }

    private boolean decodeAhead(EligibleItems items) {
        if (call.exceeds(handler.procedure().binding())) {
            // The call will be rejected on its thread, so nothing is fetched.
            return false;
        }
        try {
            decoded = decode(handler.procedure(), message.fork(items));
            return true;
        } catch (XdrException | RuntimeException | Error wrong) {
            // The call's thread decodes the arguments again, and answers the error.
            return false;
        }
    }

    private static <A> A decode(Procedure<A, ?> procedure, XdrDecoder in) throws XdrException {
        in.eligible(procedure.binding().argumentsEligible());
        A arguments = procedure.arguments().reader().read(in);
        in.requireEnd();
        return arguments;
    }

    /** Runs the handler, which answers the call. */
    @Override
    public void run() {
        run(handler);
    }

    /** Ends the call and its connection, for lack of memory or of a thread: the caller then sends the call again. */
    void abandon(Throwable lack) {
        try {
            ReplyCache replies = admission.replies();
            ReplyCache.Key begun = key;
            if (replies != null && begun != null) {
                key = null;
                replies.abandoned(begun);
            }
        } finally {
            admission.abandon(call, xid, lack, measurement);
        }
    }

    private @Nullable ReplyCache cache(Procedure<?, ?> procedure) {
        return procedure.binding().isIdempotent() ? null : admission.replies();
    }

    /** Ends the call without a handler and without an answer. */
    void drop() {
        measurement.outcome(Outcome.DROPPED);
        call.drop();
    }

    private <A, R> void run(Handler<A, R> answering) {
        Procedure<A, R> procedure = answering.procedure();
        ProcedureBinding<A, ?> binding = procedure.binding();
        ReplyCache cache = cache(procedure);
        if (call.exceeds(binding)) {
            violate(binding);
            return;
        }
        ReplyCache.Key duplicates;
        A arguments;
        try {
            XdrDecoder body = auth.protectsBodies() ? new XdrDecoder(auth.unprotect(message)) : message;
            // The key is a checksum of the arguments, so it is made before they are read.
            duplicates = cache == null ? null : ReplyCache.Key.of(this, procedure, body);
            arguments = decoded(procedure, body);
        } catch (XdrException malformed) {
            LOG.log(Level.DEBUG, "{0} {1}: {2}", this, procedure, malformed.getMessage());
            refuseArguments(binding);
            return;
        } catch (RuntimeException | Error broken) {
            fail(procedure, broken);
            return;
        }
        if (!call.chunksConsumed()) {
            violate(binding);
            return;
        }
        if (cache != null && duplicates != null) {
            if (!cache.isNew(duplicates, this)) {
                return;
            }
            key = duplicates;
        }
        invoke(answering, arguments);
    }

    @SuppressWarnings("unchecked") // decoded by the same procedure's reader
    private <A> A decoded(Procedure<A, ?> procedure, XdrDecoder body) throws XdrException {
        Object ahead = decoded;
        return ahead == null ? decode(procedure, body) : (A) ahead;
    }

    private void refuseArguments(ProcedureBinding<?, ?> binding) {
        if (call.chunksConsumed()) {
            refuse(AcceptStat.GARBAGE_ARGS, Outcome.GARBAGE_ARGS);
        } else {
            violate(binding);
        }
    }

    private void violate(ProcedureBinding<?, ?> binding) {
        if (binding.violation() == ProcedureBinding.Violation.ERR_CHUNK) {
            measurement.outcome(Outcome.PROTOCOL_ERROR);
            call.refuseChunks();
        } else {
            refuse(AcceptStat.GARBAGE_ARGS, Outcome.GARBAGE_ARGS);
        }
    }

    private <A, R> void invoke(Handler<A, R> answering, A arguments) {
        measurement.runs();
        CompletionStage<R> results;
        try {
            results = Objects.requireNonNull(
                    answering.body().handle(arguments, this), "the service returned null in place of a stage");
        } catch (Throwable failure) {
            // Answer whatever the user's code has thrown, because the peer waits.
            fail(answering.procedure(), failure);
            return;
        }
        results.whenComplete((result, failure) -> {
            try {
                if (failure == null) {
                    succeed(answering.procedure(), result);
                } else {
                    fail(
                            answering.procedure(),
                            failure instanceof CompletionException wrapped ? cause(wrapped) : failure);
                }
            } catch (RuntimeException | Error broken) {
                // The stage would swallow it, and the peer would wait.
                abandon(broken);
            }
        });
    }

    private static Throwable cause(CompletionException wrapped) {
        return wrapped.getCause() == null ? wrapped : wrapped.getCause();
    }

    private <R> void succeed(Procedure<?, R> procedure, R results) {
        XdrEncoder reply;
        try {
            reply = beginReply();
            XdrEncoder body = auth.protectsBodies() ? XdrEncoder.onHeap() : reply;
            int start = body.streamLength();
            ReplyHeader.SUCCESS.encode(body);
            body.eligible(procedure.binding().resultsEligible());
            procedure.results().writer().write(body, results);
            keep(body, start, true);
            if (body != reply) {
                appendProtected(body.finish(), reply);
            }
        } catch (RuntimeException | Error broken) {
            // Answer even if stack or memory is exhausted, because the peer waits.
            fail(procedure, broken);
            return;
        }
        measurement.outcome(Outcome.SUCCESS);
        send(reply);
    }

    /** Begins a reply: returns an encoder that has written everything up to the verifier. */
    private XdrEncoder beginReply() {
        XdrEncoder reply = call.newReply();
        ReplyHeader.encodeAccepted(reply, xid, verifier());
        return reply;
    }

    private OpaqueAuth verifier() {
        ServerAuth.OwnCall own = auth.ownCall();
        return own == null ? verifier : own.replyVerifier();
    }

    /**
     * Appends to a reply what follows the verifier.
     *
     * @param plain the outcome, and the results if it is SUCCESS, which alone are protected
     */
    private void appendProtected(EncodedMessage plain, XdrEncoder reply) {
        if (plain.stream().getInt(0) == AcceptStat.SUCCESS.value()) {
            ReplyHeader.SUCCESS.encode(reply);
            auth.protect(plain.from(Integer.BYTES), reply);
        } else {
            reply.writeMessage(plain);
        }
    }

    /**
     * Keeps a reply for duplicates of this call, if there may be any. From now on the call has been run, even if its own answer cannot be sent.
     *
     * @param start where the reply goes on after the verifier
     * @param isKept whether later duplicates get this reply too
     */
    private void keep(XdrEncoder reply, int start, boolean isKept) {
        ReplyCache replies = admission.replies();
        ReplyCache.Key ended = key;
        if (replies != null && ended != null) {
            key = null;
            replies.completed(ended, this, reply, start, isKept);
        }
    }

    private void send(XdrEncoder reply) {
        EncodedMessage encoded;
        try {
            encoded = reply.finish();
        } catch (RuntimeException | Error unsendable) {
            fail(handler.procedure(), unsendable);
            return;
        }
        measurement.replies(encoded.unreducedLength());
        call.reply(encoded);
    }

    /** Answers with the reply to an earlier equal call. */
    void answerAgain(EncodedMessage reply) {
        measurement.outcome(Outcome.DUPLICATE);
        XdrEncoder again;
        try {
            again = beginReply();
            if (auth.protectsBodies()) {
                appendProtected(reply, again);
            } else {
                again.writeMessage(reply);
            }
        } catch (RuntimeException | Error unsendable) {
            fail(handler.procedure(), unsendable);
            return;
        }
        send(again);
    }

    private void fail(Procedure<?, ?> procedure, Throwable failure) {
        if (failure instanceof ProcedureUnavailableException) {
            refuse(AcceptStat.PROC_UNAVAIL, Outcome.PROCEDURE_UNAVAILABLE);
            return;
        }
        if (failure instanceof MemoryExhaustedException || failure instanceof OutOfMemoryError) {
            abandon(failure);
            return;
        }
        admission.failures().failed(this, procedure, failure);
        refuse(AcceptStat.SYSTEM_ERR, Outcome.SYSTEM_ERROR);
    }

    private void refuse(AcceptStat status, Outcome outcome) {
        measurement.outcome(outcome);
        if (key == null) {
            admission.refuse(call, xid, new ReplyHeader.Accepted(verifier(), ReplyHeader.failed(status)), measurement);
            return;
        }
        XdrEncoder reply = beginReply();
        int start = reply.streamLength();
        ReplyHeader.failed(status).encode(reply);
        // A call that failed may have had effects, so its reply is kept.
        keep(reply, start, status == AcceptStat.SYSTEM_ERR);
        send(reply);
    }

    @Override
    public Principal caller() {
        return caller;
    }

    @Override
    public Connection connection() {
        return call.connection();
    }

    /** Whose share the call counts to. */
    Peer peer() {
        return call.peer();
    }

    @Override
    public int xid() {
        return xid;
    }

    @Override
    public Payload readFrom(FileChannel file, long offset, int max) throws IOException {
        return call.readFrom(file, offset, max);
    }

    @Override
    public ByteBuffer buffer(int size) {
        return call.buffer(size);
    }

    @Override
    public String toString() {
        return "call 0x%08x from %s".formatted(xid, connection().remoteAddress());
    }
}
