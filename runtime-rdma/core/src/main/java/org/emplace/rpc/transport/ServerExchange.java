// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.emplace.rpc.Credential;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.RpcService.Handler;
import org.emplace.rpc.message.CallHeader;
import org.emplace.rpc.message.Replies;
import org.emplace.rpc.wire.AcceptStat;
import org.emplace.rpc.wire.AuthStat;
import org.emplace.rpc.wire.ReplyBody;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;

/** Answers one call: from its header to exactly one answer. */
final class CallAnswer implements Runnable {
    private static final Logger LOG = System.getLogger(CallAnswer.class.getName());

    private final ServiceRegistry services;
    private final IncomingCall call;

    /** The answer to come. */
    CallAnswer(ServiceRegistry services, IncomingCall call) {
        this.services = services;
        this.call = call;
    }

    /** Whether the call is for a procedure that is answered at once. */
    boolean isAtOnce() {
        if (!services.answersAtOnce()) {
            return false;
        }
        try {
            Handler<?, ?> handler = services.handler(CallHeader.decode(call.message()));
            return handler != null && handler.atOnce();
        } catch (XdrException malformed) {
            return false;
        }
    }

    /** Reads the call and has its handler answer it. */
    @Override
    public void run() {
        XdrDecoder message = call.message();
        CallHeader header;
        try {
            header = CallHeader.decode(message);
        } catch (XdrException malformed) {
            LOG.log(
                    Level.DEBUG,
                    "dropped a call from {0}: {1}",
                    call.connection().remoteAddress(),
                    malformed.getMessage());
            drop();
            return;
        }
        if (header.rpcVersion() != CallHeader.RPC_VERSION) {
            refuse(header.xid(), Replies.RPC_MISMATCH);
            return;
        }
        Credential credential;
        try {
            credential = header.credential();
        } catch (XdrException malformed) {
            refuse(header.xid(), Replies.unauthenticated(AuthStat.AUTH_BADCRED));
            return;
        }
        Handler<?, ?> handler = services.handler(header);
        if (handler == null) {
            refuse(header.xid(), services.refusal(header));
        } else {
            decode(handler, message, new DispatchedCall(call, header.xid(), credential));
        }
    }

    /** Answers SYSTEM_ERR without looking further into the call than its xid. */
    void overloaded() {
        try {
            CallHeader header = CallHeader.decode(call.message());
            refuse(header.xid(), Replies.failed(AcceptStat.SYSTEM_ERR));
        } catch (XdrException malformed) {
            drop();
        }
    }

    private <A, R> void decode(Handler<A, R> handler, XdrDecoder message, DispatchedCall view) {
        Procedure<A, R> procedure = handler.procedure();
        ProcedureBinding<A> binding = procedure.binding();
        A arguments;
        try {
            message.eligible(binding.argumentsEligible());
            arguments = procedure.arguments().reader().read(message);
            message.requireEnd();
        } catch (XdrException malformed) {
            LOG.log(Level.DEBUG, "{0} {1}: {2}", view, procedure, malformed.getMessage());
            refuseArguments(view, binding);
            return;
        } catch (RuntimeException broken) {
            fail(view, procedure, broken);
            return;
        }
        boolean tooManyWriteChunks = binding.resultsEligible() && call.writeChunksOffered() > binding.writeChunkLimit();
        if (!call.chunksConsumed() || tooManyWriteChunks) {
            violate(view, binding);
            return;
        }
        invoke(handler, arguments, view);
    }

    private void refuseArguments(DispatchedCall view, ProcedureBinding<?> binding) {
        if (call.chunksConsumed()) {
            refuse(view.xid(), Replies.failed(AcceptStat.GARBAGE_ARGS));
        } else {
            violate(view, binding);
        }
    }

    private void violate(DispatchedCall view, ProcedureBinding<?> binding) {
        if (binding.violation() == ProcedureBinding.Violation.ERR_CHUNK) {
            call.refuseChunks();
        } else {
            refuse(view.xid(), Replies.failed(AcceptStat.GARBAGE_ARGS));
        }
    }

    private <A, R> void invoke(Handler<A, R> handler, A arguments, DispatchedCall view) {
        CompletionStage<R> results;
        try {
            results = Objects.requireNonNull(
                    handler.body().answer(arguments, view), "the service returned null in place of a stage");
        } catch (Throwable failure) {
            // Whatever the user's code threw: the peer waits for an answer.
            fail(view, handler.procedure(), failure);
            return;
        }
        results.whenComplete((result, failure) -> {
            if (failure == null) {
                succeed(view, handler.procedure(), result);
            } else {
                fail(
                        view,
                        handler.procedure(),
                        failure instanceof CompletionException wrapped ? cause(wrapped) : failure);
            }
        });
    }

    private static Throwable cause(CompletionException wrapped) {
        return wrapped.getCause() == null ? wrapped : wrapped.getCause();
    }

    private <R> void succeed(DispatchedCall view, Procedure<?, R> procedure, R results) {
        XdrEncoder reply;
        try {
            reply = call.newReply();
            Replies.encode(reply, view.xid(), Replies.SUCCESS);
            reply.eligible(procedure.binding().resultsEligible());
            procedure.results().writer().write(reply, results);
        } catch (RuntimeException broken) {
            fail(view, procedure, broken);
            return;
        }
        view.answered();
        call.reply(reply.finish());
    }

    private void fail(DispatchedCall view, Procedure<?, ?> procedure, Throwable failure) {
        LOG.log(Level.WARNING, view + " " + procedure + " failed, answered with SYSTEM_ERR", failure);
        view.answered();
        refuse(view.xid(), Replies.failed(AcceptStat.SYSTEM_ERR));
    }

    private void refuse(int xid, ReplyBody status) {
        XdrEncoder reply;
        try {
            reply = call.newReply();
        } catch (UncheckedIOException exhausted) {
            abandon(xid, exhausted);
            return;
        }
        Replies.encode(reply, xid, status);
        call.reply(reply.finish());
    }

    /** The caller cannot be told anything; the end of its connection keeps it from waiting for an answer. */
    private void abandon(int xid, UncheckedIOException exhausted) {
        LOG.log(
                Level.WARNING,
                "no memory to answer call 0x" + Integer.toHexString(xid) + " from "
                        + call.connection().remoteAddress() + ", its connection is closed",
                exhausted);
        drop();
        call.connection().close();
    }

    /** Answers nothing. */
    void drop() {
        call.drop();
    }
}
